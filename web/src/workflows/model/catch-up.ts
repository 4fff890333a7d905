import type { Graph } from '../graph/graph.ts';

/** A graph as it was last read or saved. */
export interface Base {
  readonly revision: number;
  readonly graph: Graph;
}

/**
 * What to go on from when a newer revision was read. Undefined when something was edited that is not saved yet: that is
 * kept, and its save is refused if somebody else was faster.
 */
export function catchUp(base: Base, present: Graph, read: Base): Base | undefined {
  if (present !== base.graph) return undefined;
  const isSame = JSON.stringify(read.graph) === JSON.stringify(present);
  return isSame ? { ...read, graph: present } : read;
}
