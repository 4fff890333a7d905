import type { Output } from '../../call/types.ts';
import type { Graph, Node, NodeType } from '../graph/graph.ts';
import { freeName } from './edits.ts';

export type Property = Output<'list_property_configs'>['property_configs'][number];

export const firstValue = { string: '', number: 0, boolean: true } as const;

/** What a new step says until somebody says more. The service would not keep one that says less. */
const sayings: Readonly<Record<NodeType, (property: Property | undefined) => object>> = {
  wait: () => ({ duration_minutes: 1_440 }),
  attendance_split: () => ({}),
  condition_split: () => ({ filters: [{ property: 'primary_email', op: 'is_not_empty' }] }),
  send_email: () => ({}),
  send_text: () => ({}),
  set_property: (property) => ({ key: property?.key, value: firstValue[property?.type ?? 'string'] }),
  end: () => ({}),
};

export const newStep = (graph: Graph, type: NodeType, properties: readonly Property[]): Node =>
  ({
    id: freeName(graph, type.replace(/_split$/, '').replace(/^(send|set)_/, '')),
    type,
    ...sayings[type](properties[0]),
  }) as Node;
