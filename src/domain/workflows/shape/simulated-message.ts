import { z } from 'zod';
import { MomentOut } from '../../../kernel/moment.ts';

export const SimulatedMessage = z
  .object({
    node: z.string(),
    channel: z.enum(['email', 'sms']),
    subject: z.string().nullable(),
    first_at: MomentOut,
    last_at: MomentOut,
    people: z.int().describe('Who would come by.'),
    reachable: z.int().describe('Who of them would get it, as things stand now.'),
    excluded: z.array(z.object({ reason: z.string(), count: z.int() })),
  })
  .meta({ id: 'SimulatedMessage' });
export type SimulatedMessage = z.input<typeof SimulatedMessage>;

/** What a node would send to whoever passes it. */
export type Announced = Pick<SimulatedMessage, 'channel' | 'subject'>;

/** How many would be left out for each reason. */
export type Excluded = ReadonlyMap<string, number>;

/** Those who would pass a node that sends, as far as they are known. A person counts each time. */
export interface MessageSum {
  first: number;
  last: number;
  people: number;
  readonly excluded: Map<string, number>;
}

export const noMessage = (): MessageSum => ({
  first: Infinity,
  last: -Infinity,
  people: 0,
  excluded: new Map(),
});

/** Adds people who would pass together. */
export function addTo(sum: MessageSum, at: Date, people: number, excluded: Excluded): void {
  const ms = at.getTime();
  sum.first = Math.min(sum.first, ms);
  sum.last = Math.max(sum.last, ms);
  sum.people += people;
  for (const [reason, count] of excluded) sum.excluded.set(reason, (sum.excluded.get(reason) ?? 0) + count);
}

/** When a message would go out, to how many, and how many would be left out for which reason. */
export function toMessage(
  node: string,
  { channel, subject }: Announced,
  { first, last, people, excluded }: MessageSum,
): SimulatedMessage {
  const reasons = [...excluded].map(([reason, count]) => ({ reason, count }));
  const left = reasons.reduce((sum, { count }) => sum + count, 0);
  return {
    node,
    channel,
    subject,
    first_at: new Date(first).toISOString(),
    last_at: new Date(last).toISOString(),
    people,
    reachable: people - left,
    excluded: reasons.toSorted((a, b) => b.count - a.count),
  };
}
