import type { Sent } from '../segments/condition.ts';
import type { PeopleSearch } from './search.ts';
import { filtersOf } from './use-people.ts';

type Filters = ReturnType<typeof filtersOf>;

const conditions: Readonly<
  Record<Exclude<keyof Filters, 'segment_id' | 'identified' | 'external_user_id'>, Omit<Sent, 'value'>>
> = {
  health_band: { property: 'health_band', op: 'eq' },
  subscription_status: { property: 'subscription_status', op: 'eq' },
  payment_processor: { property: 'payment_processor', op: 'eq' },
  email: { property: 'primary_email', op: 'eq' },
  mrr_gte: { property: 'mrr', op: 'gte' },
  mrr_lte: { property: 'mrr', op: 'lte' },
  ltv_gte: { property: 'ltv', op: 'gte' },
  ltv_lte: { property: 'ltv', op: 'lte' },
  created_after: { property: 'created_at', op: 'gte' },
  created_before: { property: 'created_at', op: 'lte' },
};

/** The filters of a list as conditions of a segment, or why there are none. */
export function asSegment(search: PeopleSearch): { conditions: Sent[] } | { whyNot: string } {
  const filters = Object.entries(filtersOf(search));
  if (search.find !== undefined) return { whyNot: 'A segment has no search. Use filters instead.' };
  if (filters.length === 0) return { whyNot: 'Add a filter first.' };
  const other = filters.find(([name]) => !Object.hasOwn(conditions, name));
  if (other !== undefined)
    return { whyNot: `Segments have no condition for ${other[0].replaceAll('_', ' ')}. Remove that filter.` };
  return {
    conditions: filters.map(
      ([name, value]): Sent => ({ ...conditions[name as keyof typeof conditions], value }) as Sent,
    ),
  };
}
