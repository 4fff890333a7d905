import type { Graph } from './graph.ts';

/**
 * A draft as stored: what was sent and, by node id, what each node's content became when it was accepted. Only the file
 * of the node's type knows that shape.
 */
export interface StoredGraph extends Graph {
  readonly accepted: Readonly<Record<string, object>>;
}

/** A new workflow's default graph: it listens for every registration and does nothing yet. */
export const emptyGraph: StoredGraph = {
  trigger: { type: 'webinar_registration', webinar_id: null },
  nodes: [],
  accepted: {},
};

/** The part of a draft that callers read, as it was sent. */
export const graphOf = ({ trigger, nodes }: StoredGraph): Graph => ({ trigger, nodes });
