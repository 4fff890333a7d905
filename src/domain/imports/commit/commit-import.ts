import { z } from 'zod';
import { TryAgain } from '../../../database/org-transaction.ts';
import { addToOutbox } from '../../../database/outbox.ts';
import { defineOperation, type Work } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { ImportId, newId } from '../../../kernel/ids.ts';
import { countConfigsAlone, mostConfigs } from '../../properties/create-property-config.ts';
import { fromToken, tokenAgeMs, type Promised } from '../preview/commit-token.ts';
import { refuseOtherDraft, refuseOtherWorld } from '../preview/drift.ts';
import { holdDraft, ImportStatus, type ImportRow } from '../record/import.ts';
import type { Mapping } from '../record/mapping.ts';
import { measure } from '../preview/measure.ts';
import type { Tally } from '../preview/tally.ts';

export const commitImport = defineOperation({
  name: 'commit_import',
  title: 'Commit an import',
  summary:
    'Create and update people as previewed, over the following minutes; get_import tells how far it is. Takes the ' +
    'commit_token of preview_import; refused, writing nothing, when rows, mapping or the people they mean changed ' +
    'since. It cannot be undone: call it only after the person saw the preview and said yes.',
  permission: 'people.write',
  effect: 'destroy',
  memory: 'much',
  faces: { rest: ['POST /v1/imports/commit'], tool: true },
  input: z.strictObject({ commit_token: z.string().min(1).max(2_048).describe('From preview_import.') }),
  output: z.object({ import_id: ImportId, status: ImportStatus }),
  handle: async (work, { commit_token }) => {
    const promised = fromToken(work, commit_token);
    if (promised === undefined) {
      throw new Failure(
        'not_found',
        'This is not the token of a preview. Take it whole from preview_import.',
      );
    }
    const row = await holdDraft(work, promised.import_id);
    refuseExpired(promised, work.now);
    refuseOtherDraft(promised, row);
    const { digests, tally } = await measure(work, row, promised.merges);
    refuseOtherWorld(promised.digests, digests);
    await begin(work, row, promised, tally);
    work.touched['import_id'] = row.id;
    return { import_id: promised.import_id, status: 'committing' as const };
  },
});

function refuseExpired({ previewedAt }: Promised, now: Date): void {
  if (now.getTime() - previewedAt.getTime() <= tokenAgeMs) return;
  throw new Failure(
    'commit_token_expired',
    `The preview was made at ${previewedAt.toISOString()}, over an hour ago. Preview again.`,
  );
}

/** Hands the import to the engine, which goes by the row and learns of it with what this call writes. */
async function begin(
  work: Work,
  row: ImportRow,
  { merges }: Promised,
  { joiningRows, mergingRows }: Tally,
): Promise<void> {
  await work.db
    .updateTable('imports')
    .set({
      status: 'committing',
      mapping: JSON.stringify(await createConfigs(work, row.mapping as unknown as Mapping)),
      merges,
      may_merge: JSON.stringify(merges === 'allow' ? [...joiningRows, ...mergingRows] : joiningRows),
      committed_at: work.now,
      run_at: work.caller.now,
      done_row: 0,
    })
    .where('org_id', '=', work.org)
    .where('id', '=', row.id)
    .execute();
  await addToOutbox(work, 'ImportRun', { import_id: row.id });
}

/** The mapping with a config for every property. Configs that other calls created meanwhile show in the retry. */
async function createConfigs(work: Work, mapping: Mapping): Promise<Mapping> {
  const properties = mapping.properties.map((one) => ({
    ...one,
    config_id: one.config_id ?? newId(work.now),
  }));
  const made = properties.filter((_, place) => mapping.properties[place]!.config_id === null);
  if (made.length === 0) return mapping;
  if ((await countConfigsAlone(work)) + made.length > mostConfigs) throw new TryAgain();
  await work.db
    .insertInto('property_configs')
    .values(
      made.map(({ config_id, key, name, type }) => ({
        org_id: work.org,
        id: config_id,
        key,
        name,
        type,
        created_at: work.now,
      })),
    )
    .execute();
  work.touched['config_ids'] = made.map(({ config_id }) => config_id);
  return { ...mapping, properties };
}
