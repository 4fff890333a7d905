import type { Graph, Node } from './graph.ts';

/** A way on from a node: the field that names it, and the node it leads to if one is named. */
export interface Edge {
  readonly field: string;
  readonly to: string | undefined;
  /** Whether the node is a dead end without it. */
  readonly needed: boolean;
}

export function edgesOf(node: Node): Edge[] {
  switch (node.type) {
    case 'wait':
      return [needed('next', node.next), { field: 'past', to: node.past, needed: false }];
    case 'attendance_split':
      return [needed('attended', node.attended), needed('no_show', node.no_show)];
    case 'condition_split':
      return [needed('yes', node.yes), needed('no', node.no)];
    case 'end':
      return [];
    default:
      return [needed('next', node.next)];
  }
}

const needed = (field: string, to: string | undefined): Edge => ({ field, to, needed: true });

/** Every node that can be come to from a place by going on, the place itself included. */
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

/** The events whose runs have a webinar. Nobody but the service writes them, each with its webinar's id. */
const webinarEvents: readonly string[] = [
  '$svc_webinar_registration',
  '$svc_webinar_attendance',
  '$svc_webinar_unregistration',
];

/** Whether a run has a webinar: what waits are anchored to, splits ask about and variables read. */
export const hasWebinar = ({ trigger }: Pick<Graph, 'trigger'>): boolean =>
  trigger.type === 'webinar_registration' || webinarEvents.includes(trigger.event_name);
