import { typeOf, type Node } from '../nodes/index.ts';

/** An edge from a node: the field that names it, and the node it leads to if one is named. */
export interface Edge {
  readonly field: string;
  readonly to: string | undefined;
  /** Whether the node is a dead end without it. */
  readonly needed: boolean;
}

export const edgesOf = (node: Node): Edge[] =>
  typeOf(node).edges.map(({ field, needed }) => ({
    field,
    to: (node as unknown as Readonly<Record<string, string | undefined>>)[field],
    needed,
  }));

/** Every node that can be reached from a place, including the place itself. */
export function reachableFrom(nodes: readonly Node[], place: string): Set<string> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const reached = new Set<string>();
  const ahead = [place];
  for (let id = ahead.pop(); id !== undefined; id = ahead.pop()) {
    const node = byId.get(id);
    if (node === undefined || reached.has(id)) continue;
    reached.add(id);
    ahead.push(...edgesOf(node).flatMap(({ to }) => to ?? []));
  }
  return reached;
}
