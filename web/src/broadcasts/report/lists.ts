import type { Sent } from '../../segments/condition.ts';
import type { ReportSearch } from '../search.ts';
import type { Broadcast } from '../state-pill.tsx';
import { reasonWords } from '../words.ts';
import { outcomeWords, type Outcome } from './outcomes.tsx';

export type Filters = Omit<ReportSearch, 'person'>;

/** What came back, and what the service calls it. */
const answers = [
  ['Opened it', 'opened'],
  ['Clicked in it', 'clicked'],
  ['Replied', 'replied'],
  ['Unsubscribed', 'unsubscribed'],
  ['Bounced', 'bounced'],
  ['Reported it as spam', 'complained'],
] as const;

/** Who can be chosen from the list of lists. */
export const lists: readonly (readonly [label: string, filters: Filters])[] = [
  ['Everybody', {}],
  ...(Object.keys(outcomeWords) as Outcome[]).map(
    (outcome) => [outcomeWords[outcome][0], { outcome }] as const,
  ),
  ...answers.map(([label, name]) => [label, { [name]: true }] as const),
];

const names = ['outcome', 'reason', 'link', ...answers.map(([, name]) => name)] as const;

export const isSame = (one: Filters, other: Filters): boolean =>
  names.every((name) => one[name] === other[name]);

export const isWithReason = (outcome: Outcome): outcome is 'skipped' | 'failed' | 'uncertain' =>
  outcome !== 'sent' && outcome !== 'pending';

/** A list that is reached by a link of the report alone. */
export const sayFilters = ({ outcome, reason, link }: Filters, { channel }: Broadcast): string =>
  link !== undefined
    ? `Followed ${link}`
    : outcome !== undefined && reason !== undefined && isWithReason(outcome)
      ? `${outcomeWords[outcome][0]}: ${reasonWords(outcome, reason, channel)}`
      : 'As the address asks';

const lastOf = { opened: 'last_opened_at', clicked: 'last_clicked_at', replied: 'last_replied_at' } as const;

/**
 * Segments know when somebody last opened, clicked or replied, and not in which message. So the segment of such a list
 * is whoever did since the broadcast began; other lists have no segment.
 */
export function segmentOf(filters: Filters, { timing }: Broadcast): { filters: Sent[] } | { whyNot: string } {
  const [first, ...more] = Object.keys(filters);
  if (first === undefined)
    return { whyNot: 'A segment cannot name a broadcast. Its audience is a segment already, or everyone.' };
  if (more.length > 0 || !Object.hasOwn(lastOf, first) || filters[first as keyof typeof lastOf] !== true)
    return {
      whyNot: `Segments have no condition for ${first === 'link' ? 'a link of a broadcast' : 'this list'}. Export it instead.`,
    };
  if (timing.started_at === null) return { whyNot: 'It was not sent yet.' };
  return {
    filters: [{ property: lastOf[first as keyof typeof lastOf], op: 'gte', value: timing.started_at }],
  };
}
