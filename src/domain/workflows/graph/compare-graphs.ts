import { isDeepStrictEqual } from 'node:util';
import { atTrigger } from '../../triggers/enroll.ts';
import { typeOf } from '../nodes/index.ts';
import { edgesOf } from './edges.ts';
import type { LiveGraph } from './live-graph.ts';
import type { StoredGraph } from './stored-graph.ts';

export const changes = ['added', 'changed', 'removed'] as const;

interface Change {
  readonly id: string;
  readonly change: (typeof changes)[number];
}

/** What publishing a draft would make different: the trigger and nodes, as runs read them. */
export function compareGraphs(draft: StoredGraph, live: LiveGraph): Change[] {
  const drafted = new Set(draft.nodes.map(({ id }) => id));
  return [
    ...(isDeepStrictEqual(asStored(draft.trigger), live.trigger)
      ? []
      : [{ id: atTrigger, change: 'changed' as const }]),
    ...draft.nodes.flatMap((node): Change[] => {
      const before = live.nodes[node.id];
      if (before === undefined) return [{ id: node.id, change: 'added' }];
      // What misses a way cannot be compiled, and what is live misses none.
      const isOpen = edgesOf(node).some(({ needed, to }) => needed && to === undefined);
      const isSame =
        !isOpen &&
        isDeepStrictEqual(asStored(typeOf(node).compile(node, draft.accepted[node.id] ?? {})), before);
      return isSame ? [] : [{ id: node.id, change: 'changed' }];
    }),
    ...Object.keys(live.nodes)
      .filter((id) => !drafted.has(id))
      .map((id) => ({ id, change: 'removed' as const })),
  ];
}

const asStored = (part: unknown): unknown => JSON.parse(JSON.stringify(part));
