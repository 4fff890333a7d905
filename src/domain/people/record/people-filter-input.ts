import { z } from 'zod';
import type { Work } from '../../../database/work.ts';
import type { FieldError } from '../../../kernel/failure.ts';
import { SegmentId } from '../../../kernel/ids.ts';
import { FilterMoment, readBounds } from '../../filters/local-dates.ts';
import { membersOf } from '../../filters/read-filters.ts';
import { fieldsOfPerson } from '../../person-fields/fields.ts';
import {
  boundFilters,
  valueFilters,
  type BoundFilter,
  type PeopleFilter,
  type ValueFilter,
} from './filter-people.ts';

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

/** What lists of people, their exports and saved views are narrowed by. */
export const peopleFilterInput = {
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
};

type SentFilter = z.output<z.ZodObject<typeof peopleFilterInput>>;

export async function readPeopleFilter(
  work: Work,
  { segment_id, created_after, created_before, ...fields }: SentFilter,
): Promise<{ filter: PeopleFilter; warnings: FieldError[] }> {
  const { bounds, warnings } = await readBounds(work, { created_after, created_before });
  const filter: PeopleFilter = {
    ...fields,
    ...bounds,
    ...(segment_id !== undefined && { conditions: await membersOf(work, segment_id) }),
  };
  return { filter, warnings };
}
