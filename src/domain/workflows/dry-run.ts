import type { LiveGraph } from './live-graph.ts';
import type { WebinarTimes } from './times.ts';
import { walk, type Look, type Step, type Traveller } from './walk.ts';

/** What a dry run stops at: a workflow may go round without end. */
export interface Limits {
  readonly until: Date;
  readonly mostWaits: number;
}

export interface DryRun {
  /** What each would do, in order. */
  readonly steps: ReadonlyMap<string, readonly Step[]>;
  /** Who would come by which node that sends or sets something, and when. */
  readonly acted: ReadonlyMap<string, readonly Traveller[]>;
  /** Who would be under way still when it stopped, and where. */
  readonly underWay: readonly { readonly run_id: string; readonly node: string; readonly due: Date }[];
}

/** Takes travellers from the trigger to their end as if time went by, with the same walk that runs take. */
export async function dryRun(
  graph: LiveGraph,
  times: WebinarTimes | undefined,
  setOut: readonly Traveller[],
  look: Look,
  { until, mostWaits }: Limits,
): Promise<DryRun> {
  const steps = new Map<string, Step[]>(setOut.map(({ run_id }) => [run_id, []]));
  const acted = new Map<string, Traveller[]>();
  let underWay: { run_id: string; node: string; due: Date }[] = [];
  let going: readonly Traveller[] = setOut;
  for (let waits = 0; going.length > 0; waits++) {
    const walked = await walk(graph, times, going, look);
    for (const [run_id, taken] of walked.steps) steps.get(run_id)!.push(...taken);
    for (const [node, travellers] of walked.acted) {
      const there = acted.get(node);
      if (there === undefined) acted.set(node, [...travellers]);
      else there.push(...travellers);
    }
    const goesOn = ({ due }: { readonly due: Date }) => due <= until && waits < mostWaits;
    underWay = [...underWay, ...walked.waiting.filter((one) => !goesOn(one))];
    going = walked.waiting.filter(goesOn).map(({ run_id, person_id, node, wait, due }) => {
      steps.get(run_id)!.push({ node, at: due, did: 'waited' });
      return { run_id, person_id, node: wait.next, at: due };
    });
  }
  return { steps, acted, underWay };
}
