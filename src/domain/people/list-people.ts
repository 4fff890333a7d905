import { z } from 'zod';
import { atOnce } from '../../database/at-once.ts';
import { defineOperation } from '../../database/work.ts';
import { SegmentId } from '../../kernel/ids.ts';
import { pageInput, pageOutput } from '../../kernel/page.ts';
import { FilterMoment, readBounds, Warning } from '../segments/local-dates.ts';
import { membersOf } from '../segments/read-filters.ts';
import { countPeople, filterPeople, type PeopleFilter } from './filter-people.ts';
import { readPage, sortFields } from './page-of-people.ts';
import { HealthBand, PaymentProcessor, PersonSummary, SubscriptionStatus, toSummary } from './person.ts';

const Money = z.number().min(-1e13).max(1e13);

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
    subscription_status: SubscriptionStatus.optional(),
    payment_processor: PaymentProcessor.optional(),
    health_band: HealthBand.optional(),
    external_user_id: z.string().max(512).optional().describe('Exact match.'),
    email: z.string().trim().toLowerCase().max(512).optional().describe('Exact match on the primary email.'),
    identified: z
      .boolean()
      .optional()
      .describe('true: has a primary email, a first or a last name; false: the others.'),
    segment_id: SegmentId.optional().describe('Only current members of the segment.'),
    mrr_gte: Money.optional(),
    mrr_lte: Money.optional(),
    ltv_gte: Money.optional(),
    ltv_lte: Money.optional(),
    created_after: FilterMoment.optional().describe(
      "Inclusive. ISO 8601; without a zone it is read in the organization's.",
    ),
    created_before: FilterMoment.optional().describe('Inclusive.'),
    sort: z.enum(sortFields).default('created_at'),
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
      people: rows.map((row) => toSummary(row, work.caller.currency)),
      total,
      limit,
      offset,
      ...(warnings.length > 0 && { warnings }),
    };
  },
});
