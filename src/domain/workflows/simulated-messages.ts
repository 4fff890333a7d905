import { z } from 'zod';
import type { Work } from '../../database/work.ts';
import type { PersonId } from '../../kernel/ids.ts';
import { MomentOut } from '../../kernel/moment.ts';
import { exclusion } from '../broadcasts/audience.ts';
import type { LiveGraph } from './live-graph.ts';
import type { Traveller } from './walk.ts';

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

/** What each node would send: when, to how many, and who would be left out why. The earliest first. */
export async function sumUpMessages(
  work: Work,
  graph: LiveGraph,
  acted: ReadonlyMap<string, readonly Traveller[]>,
): Promise<z.input<typeof SimulatedMessage>[]> {
  const messages: z.input<typeof SimulatedMessage>[] = [];
  for (const [id, travellers] of acted) {
    const node = graph.nodes[id];
    if (node?.type !== 'send') continue;
    const times = travellers.map(({ at }) => at.getTime());
    const people = travellers.map(({ person_id }) => person_id);
    const excluded = await countExcluded(work, node.message.channel, people);
    const left = excluded.reduce((sum, { count }) => sum + count, 0);
    messages.push({
      node: id,
      channel: node.message.channel,
      subject: node.message.subject,
      first_at: toIso(times.reduce((a, b) => Math.min(a, b))),
      last_at: toIso(times.reduce((a, b) => Math.max(a, b))),
      people: travellers.length,
      reachable: travellers.length - left,
      excluded,
    });
  }
  return messages.toSorted((a, b) => (a.first_at < b.first_at ? -1 : a.first_at > b.first_at ? 1 : 0));
}

const toIso = (ms: number): string => new Date(ms).toISOString();

/** Somebody who would get a message twice is counted as often. */
async function countExcluded(
  work: Work,
  channel: 'email' | 'sms',
  people: readonly PersonId[],
): Promise<{ reason: string; count: number }[]> {
  const asked = work.db
    .selectFrom('people')
    .where('people.org_id', '=', work.org)
    .where('people.id', 'in', [...new Set(people)]);
  const rows = await exclusion(work, asked, channel).select('people.id').execute();
  const reasons = new Map(rows.map(({ id, excluded }) => [id, excluded]));
  const counts = new Map<string, number>();
  for (const person of people) {
    const reason = reasons.get(person);
    if (reason !== null && reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => ({ reason, count })).toSorted((a, b) => b.count - a.count);
}
