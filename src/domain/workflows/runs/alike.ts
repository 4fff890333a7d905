import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import type { Breathe } from '../../../kernel/breather.ts';
import type { PersonId } from '../../../kernel/ids.ts';
import { exclusion } from '../../broadcasts/plan/audience.ts';
import type { LiveGraph } from '../graph/live-graph.ts';
import { runOf, type LiveNode } from '../nodes/index.ts';
import type { Announced, Excluded } from '../shape/simulated-message.ts';
import type { Ask } from './walk.ts';

type Channel = Announced['channel'];

/** People about whom every question of a graph has the same answer: together they start, and together they go on. */
export interface Alike {
  readonly people: readonly PersonId[];
  readonly excluded: ReadonlyMap<Channel, Excluded>;
}

/** Groups people by the answers to all questions of a graph. Each question is asked once; `answer` repeats it. */
export async function groupAlike(
  work: Work,
  graph: LiveGraph,
  people: readonly PersonId[],
  ask: Ask,
  breathe: Breathe,
): Promise<{ readonly groups: readonly Alike[]; readonly answer: Ask }> {
  const nodes = Object.values(graph.nodes);
  const answers = new Map<LiveNode, ReadonlySet<string>>();
  for (const node of nodes) {
    answers.set(node, await ask(node, people));
    await breathe();
  }
  const telling = [...answers.values()].filter(({ size }) => size > 0);
  const groups = Map.groupBy(people, (person) => telling.map((holds) => Number(holds.has(person))).join(''));
  const reasons = new Map<Channel, ReadonlyMap<string, string>>();
  for (const channel of channelsOf(nodes)) reasons.set(channel, await readReasons(work, channel, people));
  return {
    groups: [...groups.values()].map((alike) => ({
      people: alike,
      excluded: new Map([...reasons].map(([channel, of]) => [channel, countReasons(alike, of)])),
    })),
    answer: async (node) => answers.get(node)!,
  };
}

const channelsOf = (nodes: readonly LiveNode[]): ReadonlySet<Channel> =>
  new Set(nodes.flatMap((node) => runOf(node).simulate(node)?.channel ?? []));

/** Why those of many people would be left out who would be. */
async function readReasons(
  work: Work,
  channel: Channel,
  people: readonly PersonId[],
): Promise<ReadonlyMap<string, string>> {
  const asked = work.db
    .selectFrom('people')
    .where('people.org_id', '=', work.org)
    .where('people.id', '=', sql<string>`any(${people}::uuid[])`);
  const rows = await exclusion(work, asked, channel).select('people.id').execute();
  return new Map(rows.flatMap(({ id, excluded }) => (excluded === null ? [] : [[id, excluded]])));
}

function countReasons(people: readonly PersonId[], reasons: ReadonlyMap<string, string>): Excluded {
  const counts = new Map<string, number>();
  for (const person of people) {
    const reason = reasons.get(person);
    if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return counts;
}
