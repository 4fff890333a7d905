import type { PersonId } from '../../../kernel/ids.ts';
import type { LiveGraph } from '../graph/live-graph.ts';
import type { Anchored, Move, Traveller } from '../shape/node-run.ts';
import { runOf, type Deed, type LiveNode } from '../nodes/index.ts';
import type { WebinarTimes } from '../shape/times.ts';

export interface Step {
  readonly node: string;
  readonly at: Date;
  readonly did: Deed;
}

/** Returns those of many people for whom a node's question holds at this moment. */
export type Ask = (node: LiveNode, people: readonly PersonId[]) => Promise<ReadonlySet<string>>;

/** A run that reached a wait, and when that wait ends as things stand. */
export interface Waiting extends Traveller {
  readonly due: Date;
  readonly anchored: Anchored | undefined;
}

export interface Walked {
  readonly steps: ReadonlyMap<string, readonly Step[]>;
  readonly waiting: readonly Waiting[];
  readonly ended: readonly Traveller[];
  /** The runs that passed each node, in order. */
  readonly passed: ReadonlyMap<string, readonly Traveller[]>;
}

/**
 * Takes travellers as far as they get without waiting. All who stand at the same node pass it together, so that a split
 * asks its question once for all of them.
 */
export async function walk(
  graph: LiveGraph,
  times: WebinarTimes | undefined,
  travellers: readonly Traveller[],
  ask: Ask,
): Promise<Walked> {
  const steps = new Map<string, Step[]>(travellers.map(({ run_id }) => [run_id, []]));
  const passed = new Map<string, Traveller[]>();
  const waiting: Waiting[] = [];
  const ended: Traveller[] = [];
  const arrived = Map.groupBy(travellers, ({ node }) => node);
  const apply = (one: Traveller, move: Move) => {
    if (move.does === 'wait') {
      waiting.push({ ...one, due: move.due, anchored: move.anchored });
      return;
    }
    const at = move.does === 'go_on' ? move.at : one.at;
    steps.get(one.run_id)!.push({ node: one.node, at, did: move.did as Deed });
    if (move.does === 'go_on')
      append(arrived, move.to, { run_id: one.run_id, person_id: one.person_id, node: move.to, at });
    else ended.push(one);
  };
  for (let entry = first(arrived); entry !== undefined; entry = first(arrived)) {
    const [id, here] = entry;
    arrived.delete(id);
    const node = graph.nodes[id];
    if (node === undefined) throw new Error(`a published graph has no node ${id}`);
    const run = runOf(node);
    const holds = () =>
      ask(
        node,
        here.map(({ person_id }) => person_id),
      );
    const moves = await run.enter(node, here, { times, holds });
    for (const one of here) append(passed, id, one);
    for (const [index, one] of here.entries()) apply(one, moves[index]!);
  }
  return { steps, waiting, ended, passed };
}

function append<T>(lists: Map<string, T[]>, key: string, one: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [one]);
  else list.push(one);
}

const first = <K, V>(map: ReadonlyMap<K, V>): readonly [K, V] | undefined => map.entries().next().value;
