import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { ImportId, PersonId } from '../../../kernel/ids.ts';
import { MomentOut } from '../../../kernel/moment.ts';
import { PropertyType } from '../../properties/property-config.ts';
import { promise, toToken, tokenAgeMs } from './commit-token.ts';
import { findImport, MergePolicy, mustBeDraft } from '../record/import.ts';
import type { Mapping } from '../record/mapping.ts';
import { measure, type Measured } from './measure.ts';
import { numbersOf } from './preview-numbers.ts';

export const previewImport = defineOperation({
  name: 'preview_import',
  title: 'Preview an import',
  summary:
    'A dry run that writes nothing: what committing the rows would do. When nothing blocks there is a commit_token, ' +
    'good for one hour. Show the person these numbers, above all merges and opt-outs, and commit only when they agree.',
  permission: 'people.read',
  effect: 'read',
  cost: 'heavy',
  memory: 'much',
  faces: { rest: ['POST /v1/imports/:import_id/preview'], tool: true },
  input: z.strictObject({
    import_id: ImportId,
    merges: MergePolicy.default('block').describe(
      'Rows that belong to several people: block the commit, be left out, or merge those people for good.',
    ),
  }),
  output: z.object({
    import_id: ImportId,
    rows: z.int(),
    people_to_create: z.int(),
    people_to_update: z.int(),
    people_unchanged: z.int(),
    people_to_opt_out: z.int(),
    suppressed_again: z.int().describe('People whose address was suppressed before: opted out at once.'),
    properties_to_create: z.array(z.object({ key: z.string(), name: z.string(), type: PropertyType })),
    values_changed: z.array(z.object({ key: z.string(), count: z.int() })),
    joined: z
      .int()
      .describe('Rows that join people whom only earlier rows make. They block nothing and need no merges.'),
    merging_rows: z.int(),
    people_merged_away: z.int(),
    first_merging_rows: z.array(z.object({ row: z.int(), person_ids: z.array(PersonId) })),
    blocked: z.string().nullable(),
    commit_token: z.string().nullable(),
    expires_at: MomentOut.nullable(),
  }),
  handle: async (work, { import_id, merges }) => {
    const row = await findImport(work, import_id);
    mustBeDraft(row);
    if (row.mapping === null) {
      throw new Failure(
        'import_not_mapped',
        'Save a mapping with set_import_mapping first, then append rows.',
      );
    }
    const measured = await measure(work, row, merges);
    const blocked = whyBlocked(measured, merges);
    const expires = new Date(work.now.getTime() + tokenAgeMs).toISOString();
    return {
      import_id,
      ...numbersOf(measured, row.mapping as unknown as Mapping),
      blocked,
      commit_token: blocked === null ? toToken(work, promise(row, merges, measured.digests, work.now)) : null,
      expires_at: blocked === null ? expires : null,
    };
  },
});

function whyBlocked({ tally, configs }: Measured, merges: MergePolicy): string | null {
  if (tally.rows === 0) return 'There are no rows to commit. Send them with append_import_rows.';
  if (configs.blocked !== null) return configs.blocked;
  if (merges !== 'block' || tally.mergingRows.length === 0) return null;
  return (
    `${tally.mergingRows.length} rows belong to several people each (first_merging_rows). Preview with merges: "skip_rows" ` +
    'to leave them out, or "allow" to merge those people for good.'
  );
}
