import type { Input } from '../call/types.ts';

type Page = Input<'list_broadcasts'>;
export type BroadcastsSearch = Pick<Page, 'status' | 'channel' | 'webinar_id' | 'offset'>;

/** What the list is narrowed by stands in the address; what is wrong in it the service tells. */
export const readBroadcastsSearch = (search: Record<string, unknown>): BroadcastsSearch =>
  ({
    ...pick(search, ['status', 'channel', 'webinar_id'], 'string'),
    ...pick(search, ['offset'], 'number'),
  }) as BroadcastsSearch;

/** When it is meant to go out. A draft keeps no time: it is chosen here, and planned with. */
export interface AtSearch {
  readonly at?: string;
}
export const readAt = (search: Record<string, unknown>): AtSearch => pick(search, ['at'], 'string');

type Recipients = Input<'list_broadcast_recipients'>;
export type ReportSearch = Omit<Recipients, 'broadcast_id' | 'cursor' | 'limit'> & {
  readonly person?: string;
};
export const readReportSearch = (search: Record<string, unknown>): ReportSearch =>
  ({
    ...pick(search, ['outcome', 'reason', 'link', 'person'], 'string'),
    ...pick(search, ['opened', 'clicked', 'replied', 'bounced', 'complained', 'unsubscribed'], 'boolean'),
  }) as ReportSearch;

const pick = (
  search: Record<string, unknown>,
  names: readonly string[],
  type: string,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(search).filter(([name, value]) => names.includes(name) && typeof value === type),
  );
