import type { LiveGraph } from './live-graph.ts';
import { required } from '../shape/node-fields.ts';
import { typeOf, type LiveNode } from '../nodes/index.ts';
import type { StoredGraph } from './stored-graph.ts';

/** A draft as runs will read it. It has no problems: every edge that a node needs exists. */
export const compileGraph = ({ trigger, nodes, accepted }: StoredGraph): LiveGraph => ({
  trigger: { ...trigger, next: required(trigger.next) },
  nodes: Object.fromEntries(
    nodes.map((node) => [node.id, typeOf(node).compile(node, accepted[node.id] ?? {}) as LiveNode]),
  ),
});
