import type { LiveGraph } from './live-graph.ts';
import { required } from '../shape/node-fields.ts';
import { typeOf, type LiveNode, type Node } from '../nodes/index.ts';
import { edgesOf } from './edges.ts';
import type { StoredGraph } from './stored-graph.ts';

/** A draft as runs will read it. It has no problems: every edge that a node needs exists. */
export function compileGraph({ trigger, nodes, accepted }: StoredGraph): LiveGraph {
  const next = required(trigger.next);
  const confirms = trigger.type === 'webinar_registration' ? reachedAtOnce(nodes, next) : new Set<string>();
  return {
    trigger: { ...trigger, next },
    nodes: Object.fromEntries(
      nodes.map((node) => {
        const live = typeOf(node).compile(node, accepted[node.id] ?? {}) as LiveNode;
        return [node.id, live.type === 'send' ? withMark(live, confirms.has(node.id)) : live];
      }),
    ),
  };
}

/** What a registration sends before anything is waited for confirms it (ADR 97). */
const withMark = (live: LiveNode & { readonly type: 'send' }, isConfirmation: boolean): LiveNode =>
  isConfirmation ? { ...live, message: { ...live.message, is_confirmation: true } } : live;

/** The nodes that a run comes by without waiting. */
function reachedAtOnce(nodes: readonly Node[], first: string): Set<string> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const reached = new Set<string>();
  const ahead = [first];
  for (let id = ahead.pop(); id !== undefined; id = ahead.pop()) {
    const node = byId.get(id);
    if (node === undefined || reached.has(id)) continue;
    reached.add(id);
    if (node.type !== 'wait' && node.type !== 'attendance_split')
      ahead.push(...edgesOf(node).flatMap(({ to }) => to ?? []));
  }
  return reached;
}
