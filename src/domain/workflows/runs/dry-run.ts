import type { LiveGraph } from '../graph/live-graph.ts';
import type { GoesOn, Traveller } from '../shape/node-run.ts';
import { runOf, type Deed } from '../nodes/index.ts';
import type { WebinarTimes } from '../shape/times.ts';
import { walk, type Ask, type Step, type Waiting } from './walk.ts';

/** Where a dry run stops: a workflow may loop for ever. */
export interface Limits {
  readonly until: Date;
  readonly mostWaits: number;
}

/** How far runs would get without waiting, and how those that reached a wait would leave it. */
export interface Round {
  /** Who would pass each node, and when. */
  readonly passed: ReadonlyMap<string, readonly Traveller[]>;
  /** What a run would do, in order. */
  readonly stepsOf: (run_id: string) => readonly Step[];
  /** Who would still be under way at the end of the dry run, and where. */
  readonly underWay: readonly Waiting[];
}

/**
 * Takes travellers from the trigger to their end as if time passed, with the same walk as real runs. Keeps nothing of a
 * round that is over.
 */
export async function* dryRun(
  graph: LiveGraph,
  times: WebinarTimes | undefined,
  starting: readonly Traveller[],
  ask: Ask,
  { until, mostWaits }: Limits,
): AsyncGenerator<Round> {
  let travellers: readonly Traveller[] = starting;
  for (let waits = 0; travellers.length > 0; waits++) {
    const { passed, steps, waiting } = await walk(graph, times, travellers, ask);
    const goesOn = ({ due }: Waiting) => due <= until && waits < mostWaits;
    const left = new Map<string, Step>();
    travellers = waiting.filter(goesOn).map((one) => {
      const { run_id, person_id, node } = one;
      const { to, at, did } = leaveWait(graph, times, one);
      left.set(run_id, { node, at, did: did as Deed });
      return { run_id, person_id, node: to, at };
    });
    yield {
      passed,
      stepsOf: (run_id) => [...(steps.get(run_id) ?? []), ...(left.has(run_id) ? [left.get(run_id)!] : [])],
      underWay: waiting.filter((one) => !goesOn(one)),
    };
  }
}

function leaveWait(
  { nodes }: LiveGraph,
  times: WebinarTimes | undefined,
  { node: id, due, anchored, at }: Waiting,
): GoesOn {
  const node = nodes[id]!;
  const wait = { due, anchored: anchored !== undefined, began_at: at };
  return runOf(node).leave(node, wait, { times, resumedAt: null });
}
