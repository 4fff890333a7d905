import { z } from 'zod';
import { atOnce } from '../../../database/planner.ts';
import { defineOperation } from '../../../database/work.ts';
import { SegmentId } from '../../../kernel/ids.ts';
import { pageInput, pageOutput } from '../../../kernel/page.ts';
import { fieldsOfPerson } from '../../person-fields/fields.ts';
import { FilterMoment, readBounds, Warning } from '../../filters/local-dates.ts';
import { membersOf } from '../../filters/read-filters.ts';
import {
  boundFilters,
  countPeople,
  filterPeople,
  valueFilters,
  type BoundFilter,
  type PeopleFilter,
  type ValueFilter,
} from './filter-people.ts';
import { defaultSort, readPage, sortFields } from './page-of-people.ts';
import { PersonSummary, toSummary } from './person.ts';

const Money = z.number().min(-1e13).max(1e13).optional();

type Chosen<Name extends ValueFilter> = ReturnType<(typeof fieldsOfPerson)[Name]['output']['unwrap']>;
const byValue = Object.fromEntries(
  valueFilters.map((field) => [field, fieldsOfPerson[field].output.unwrap().optional()]),
) as { [Name in ValueFilter]: z.ZodOptional<Chosen<Name>> };

const byBounds = Object.fromEntries(
  boundFilters.flatMap((field) => [
    [`${field}_gte`, Money],
    [`${field}_lte`, Money],
  ]),
) as Record<BoundFilter, typeof Money>;

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
    ...byValue,
    external_user_id: z.string().max(512).optional().describe('Exact match.'),
    email: z.string().trim().toLowerCase().max(512).optional().describe('Exact match on the primary email.'),
    identified: z
      .boolean()
      .optional()
      .describe('true: has a primary email, a first or a last name; false: the others.'),
    segment_id: SegmentId.optional().describe('Only current members of the segment.'),
    ...byBounds,
    created_after: FilterMoment.optional().describe(
      "Inclusive. ISO 8601; without a zone it is read in the organization's.",
    ),
    created_before: FilterMoment.optional().describe('Inclusive.'),
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
  handle: async (
    work,
    { sort, order, limit, offset, segment_id, created_after, created_before, ...fields },
  ) => {
    const { bounds, warnings } = await readBounds(work, { created_after, created_before });
    const filter: PeopleFilter = {
      ...fields,
      ...bounds,
      ...(segment_id !== undefined && { conditions: await membersOf(work, segment_id) }),
    };
    const read = async () => ({
      total: await countPeople(work, filter),
      rows: await readPage(work, filterPeople(work, filter), { sort, order, limit, offset }),
    });
    const { total, rows } = await (segment_id === undefined ? read() : atOnce(work.db, read));
    return {
      people: rows.map((row) => toSummary(row, work)),
      total,
      limit,
      offset,
      ...(warnings.length > 0 && { warnings }),
    };
  },
});
