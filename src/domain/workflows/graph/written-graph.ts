import type { Breathe } from '../../../kernel/breather.ts';
import type { StoredGraph } from './stored-graph.ts';

/** A graph as text for the database, and as it will be read from there. */
export interface WrittenGraph {
  readonly text: string;
  readonly graph: StoredGraph;
}

/** Writes a graph node by node: a hundred with long bodies would keep the thread for tens of milliseconds. */
export async function writeGraph(
  { trigger, nodes, accepted }: StoredGraph,
  breathe: Breathe,
): Promise<WrittenGraph> {
  const written = { trigger: JSON.stringify(trigger), nodes: [] as string[], accepted: [] as string[] };
  const read = { nodes: [] as StoredGraph['nodes'][number][], accepted: {} as Record<string, object> };
  for (const node of nodes) {
    const text = JSON.stringify(node);
    written.nodes.push(text);
    read.nodes.push(JSON.parse(text) as StoredGraph['nodes'][number]);
    await breathe();
  }
  for (const [id, one] of Object.entries(accepted)) {
    const text = JSON.stringify(one);
    written.accepted.push(`${JSON.stringify(id)}:${text}`);
    read.accepted[id] = JSON.parse(text) as object;
    await breathe();
  }
  return {
    text: `{"trigger":${written.trigger},"nodes":[${written.nodes.join(',')}],"accepted":{${written.accepted.join(',')}}}`,
    graph: { trigger: JSON.parse(written.trigger) as StoredGraph['trigger'], ...read },
  };
}
