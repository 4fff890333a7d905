import type { CheckedBody } from '../content/body.ts';
import type { Variables } from '../content/definition.ts';
import type { StoredCondition } from '../segments/condition.ts';
import type { Graph } from './graph.ts';

/**
 * A draft as it is kept: what was sent, and beside it what each node's content became when it was accepted, by the
 * node's id. A body is compiled then and never again.
 */
export interface StoredGraph extends Graph {
  readonly accepted: Readonly<Record<string, Accepted>>;
}

export interface Accepted {
  readonly body?: CheckedBody | null;
  readonly variables?: Variables;
  readonly filters?: readonly StoredCondition[];
  /** The config's own key, where the one sent is only spelled alike. */
  readonly key?: string;
}

/** What a new workflow without a graph has: it listens for every registration and does nothing yet. */
export const emptyGraph: StoredGraph = {
  trigger: { type: 'webinar_registration', webinar_id: null },
  nodes: [],
  accepted: {},
};

/** What is told of a draft: as it was sent. */
export const graphOf = ({ trigger, nodes }: StoredGraph): Graph => ({ trigger, nodes });
