import { atTrigger, type Graph, type Tone, type Way } from '../graph/graph.ts';
import { allWays, type LedWay } from '../graph/ways.ts';

/** What a run did at a node. */
export interface Deed {
  readonly node: string;
  readonly did: string;
}

export interface Taken {
  readonly tone: (node: string) => Tone | undefined;
  readonly edgeTone: (way: Way) => Tone | undefined;
}

const keyOf = ({ from, field }: Way): string => `${from} ${field}`;

/**
 * What was gone and what would be, for the drawing. `stands` is where the run waits now; `ahead` is what it would do
 * from there on, when that is known.
 */
export function drawWay(
  graph: Graph,
  done: readonly Deed[],
  stands: string | undefined,
  ahead: readonly Deed[] = [],
): Taken {
  const ways = Map.groupBy(allWays(graph), ({ from }) => from);
  const gone = waysAlong(ways, [atStart, ...done], stands ?? ahead[0]?.node);
  const coming = waysAlong(ways, ahead, undefined);
  const past = new Set([atTrigger, ...done.map(({ node }) => node)]);
  const next = new Set(ahead.map(({ node }) => node));
  return {
    tone: (node) =>
      node === stands
        ? 'here'
        : past.has(node)
          ? 'path'
          : next.has(node)
            ? 'next'
            : ahead.length > 0
              ? 'dim'
              : undefined,
    edgeTone: (way) =>
      gone.has(keyOf(way)) ? 'path' : coming.has(keyOf(way)) ? 'next' : ahead.length > 0 ? 'dim' : undefined,
  };
}

const atStart: Deed = { node: atTrigger, did: 'next' };

/** The ways between what was done, one after the other, and to where it led last. */
function waysAlong(
  ways: ReadonlyMap<string, readonly LedWay[]>,
  deeds: readonly Deed[],
  last: string | undefined,
): ReadonlySet<string> {
  return new Set(
    deeds.flatMap(({ node, did }, at) => {
      const to = deeds[at + 1]?.node ?? last;
      const leading = (ways.get(node) ?? []).filter((way) => way.to === to);
      // A split's way is called as what was done there; a wait's and a message's is `next`.
      const way = leading.find(({ field }) => field === did) ?? leading.find(({ field }) => field === 'next');
      return way === undefined ? [] : [keyOf(way)];
    }),
  );
}
