import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { PersonId } from '../../../kernel/ids.ts';
import { filterPeople } from './filter-people.ts';
import { peopleFilterInput, readPeopleFilter } from './people-filter-input.ts';
import { besideColumns, ExportedPerson, summaryColumns, toBeside, toSummary } from './person.ts';

/*
 * Steps of GET /v1/people/export that are no operations for callers. Neither is in the catalogue: an export takes many
 * transactions, and these are they.
 */
const part = { permission: 'people.read', faces: { rest: ['GET /v1/people/export'] } } as const;

/** People that a step looks at, whether or not they match: so each is short, whatever is asked. */
const looked = 250;
const columns = [...summaryColumns, ...besideColumns].map((name) => `people.${name}` as const);

/** Leaves its row in the audit log before the first person leaves the house. */
export const beginPeopleExport = defineOperation({
  ...part,
  name: 'export_people',
  title: 'Export people',
  summary: 'Checks the filters of an export and writes down that it was made.',
  effect: 'add',
  evenSuspended: true, // it changes nothing
  cost: 'heavy',
  input: z.strictObject(peopleFilterInput),
  output: z.object({}),
  handle: async (work, sent) => {
    await readPeopleFilter(work, sent);
    work.touched['segment_id'] = sent.segment_id ?? [];
    return {};
  },
});

/** People after the cursor by their ids, and where the next step goes on. */
export const readPeopleExport = defineOperation({
  ...part,
  name: 'read_people_export',
  title: 'Read part of an export',
  summary: 'The next people of an export.',
  effect: 'read',
  cost: 'heavy',
  input: z.strictObject({ filters: z.strictObject(peopleFilterInput), after: PersonId.optional() }),
  output: z.object({ rows: z.array(ExportedPerson), next: PersonId.nullable() }),
  handle: async (work, { filters, after }) => {
    const window = work.db
      .selectFrom('people')
      .select('people.id')
      .where('org_id', '=', work.org)
      .$if(after !== undefined, (query) => query.where('people.id', '>', after!))
      .orderBy('people.id')
      .limit(1)
      .offset(looked - 1);
    const last = (await window.executeTakeFirst())?.id as PersonId | undefined;
    const { filter } = await readPeopleFilter(work, filters);
    let found = filterPeople(work, filter);
    if (after !== undefined) found = found.where('people.id', '>', after);
    if (last !== undefined) found = found.where('people.id', '<=', last);
    // One way along the key. Looking the found up by their ids would read four pages of the index for each.
    const rows = await found.select(columns).orderBy('people.id').execute();
    return {
      rows: rows.map((row) => ({ ...toSummary(row, work), ...toBeside(row, work) })),
      next: last ?? null,
    };
  },
});
