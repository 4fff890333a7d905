import type { Input } from '../call/types.ts';

type Filters = Omit<Input<'list_people'>, 'limit'>;

/** What a list of people is narrowed by, sorted by and opened at: all of it stands in the address. */
export type PeopleSearch = Filters & {
  readonly find?: string;
  readonly person?: string;
  /** The saved view that was opened. */
  readonly view?: string;
  /** Names of columns, with commas between. */
  readonly columns?: string;
  /** Whether somebody is being added. */
  readonly make?: boolean;
};

const texts = [
  'email',
  'external_user_id',
  'segment_id',
  'health_band',
  'subscription_status',
  'payment_processor',
  'created_after',
  'created_before',
  'sort',
  'order',
  'find',
  'person',
  'view',
  'columns',
] as const;
const numbers = ['mrr_gte', 'mrr_lte', 'ltv_gte', 'ltv_lte', 'offset'] as const;

/** Whatever else the address says is left out; what is wrong in it the service tells. */
export function readSearch(search: Record<string, unknown>): PeopleSearch {
  const read: Record<string, unknown> = {};
  for (const name of texts) {
    const word = search[name];
    if (typeof word === 'string' || typeof word === 'number') read[name] = String(word);
  }
  for (const name of numbers) if (typeof search[name] === 'number') read[name] = search[name];
  if (search.make === true) read.make = true;
  if (typeof search.identified === 'boolean') read.identified = search.identified;
  return read as PeopleSearch;
}
