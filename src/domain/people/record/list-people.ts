import { z } from 'zod';
import { atOnce } from '../../../database/planner.ts';
import { defineOperation } from '../../../database/work.ts';
import { pageInput, pageOutput } from '../../../kernel/page.ts';
import { Warning } from '../../filters/local-dates.ts';
import { countPeople, filterPeople } from './filter-people.ts';
import { peopleFilterInput, readPeopleFilter } from './people-filter-input.ts';
import { defaultSort, readPage, sortFields } from './page-of-people.ts';
import { PersonSummary, toSummary } from './person.ts';

export const listPeople = defineOperation({
  name: 'list_people',
  title: 'List people',
  summary:
    'Browse people by filters, all of which must hold, with the full matching count in total. For one person by part ' +
    'of an address or id use search_people.',
  permission: 'people.read',
  effect: 'read',
  faces: { rest: ['GET /v1/people'], tool: true },
  input: z.strictObject({
    ...peopleFilterInput,
    sort: z.enum(sortFields).default(defaultSort),
    order: z
      .enum(['asc', 'desc'])
      .default('desc')
      .describe('People without the sort field come last either way.'),
    ...pageInput,
  }),
  output: z.object({
    people: z.array(PersonSummary),
    ...pageOutput,
    warnings: z.array(Warning).optional().describe('Dates that were read without a zone, if any.'),
  }),
  handle: async (work, { sort, order, limit, offset, ...sent }) => {
    const { filter, warnings } = await readPeopleFilter(work, sent);
    const read = async () => ({
      total: await countPeople(work, filter),
      rows: await readPage(work, filterPeople(work, filter), { sort, order, limit, offset }),
    });
    const { total, rows } = await (sent.segment_id === undefined ? read() : atOnce(work.db, read));
    return {
      people: rows.map((row) => toSummary(row, work)),
      total,
      limit,
      offset,
      ...(warnings.length > 0 && { warnings }),
    };
  },
});
