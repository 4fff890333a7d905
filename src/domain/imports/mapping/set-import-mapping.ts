import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { defineOperation, type Work } from '../../../database/work.ts';
import { Failure, invalidRequest } from '../../../kernel/failure.ts';
import { ImportId } from '../../../kernel/ids.ts';
import { checkMapping } from './check-mapping.ts';
import type { Cells } from './check-row.ts';
import { discardRows } from '../record/discard-rows.ts';
import { holdDraft, mostColumns, type ImportRow } from '../record/import.ts';
import { SentTarget, type Mapping } from '../record/mapping.ts';
import { SamplePerson, samplePeople } from './sample-people.ts';
import { readConfigs } from './targets.ts';

export const setImportMapping = defineOperation({
  name: 'set_import_mapping',
  title: 'Map the columns of an import',
  summary:
    'Say what every column of a draft is. Saved only when nothing is wrong with it; the first sample rows are shown ' +
    'as the person each becomes. Names only fill absent ones; consent columns only ever opt out.',
  permission: 'people.write',
  effect: 'change',
  repeatable: true,
  faces: { rest: ['PUT /v1/imports/:import_id/mapping'], tool: true },
  input: z.strictObject({
    import_id: ImportId,
    mapping: z
      .record(z.string(), SentTarget)
      .refine(
        (sent) => Object.keys(sent).length <= mostColumns,
        `An import has at most ${mostColumns} columns.`,
      )
      .describe('Column to target, for every column.'),
    discard_rows: z
      .boolean()
      .default(false)
      .describe('Lets go of appended rows; needed to change the mapping then.'),
  }),
  output: z.object({
    import_id: ImportId,
    status: z.literal('mapped'),
    sample_people: z.array(SamplePerson),
  }),
  handle: async (work, { import_id, mapping: sent, discard_rows }) => {
    const held = await holdDraft(work, import_id);
    const columns = held.columns as string[];
    const samples = (held.sample_rows ?? []) as Cells[];
    const checked = checkMapping(columns, sent, samples, await readConfigs(work));
    if ('errors' in checked) throw invalidRequest(checked.errors);
    const { mapping } = checked;
    const hasRows = held.last_row > 0;
    const isChanged = !isSame(held.mapping as Mapping | null, mapping);
    if (hasRows && isChanged && !discard_rows) throw hasRowsAlready(held);
    if (isChanged || (hasRows && discard_rows)) {
      if (hasRows) await discardRows(work, held);
      await save(work, held, mapping);
      work.touched['import_id'] = import_id;
    }
    return { import_id, status: 'mapped' as const, sample_people: samplePeople(columns, mapping, samples) };
  },
});

/** A property that was only renamed is the same; one that was deleted and made again is not. */
function isSame(former: Mapping | null, next: Mapping): boolean {
  if (former === null) return false;
  const compared = ({ targets, properties }: Mapping) => ({
    targets,
    properties: properties.map(({ column, key, type, config_id }) => [column, key, type, config_id]),
  });
  return isDeepStrictEqual(compared(former), compared(next));
}

const hasRowsAlready = ({ last_row }: ImportRow): Failure =>
  new Failure(
    'import_has_rows',
    `${last_row} rows were checked against the mapping that is saved. Send discard_rows: true to let go of them.`,
  );

async function save(work: Work, held: ImportRow, mapping: Mapping): Promise<void> {
  await work.db
    .updateTable('imports')
    .set({
      mapping: JSON.stringify(mapping),
      status: 'mapped',
      revision: held.revision + 1,
    })
    .where('org_id', '=', work.org)
    .where('id', '=', held.id)
    .execute();
}
