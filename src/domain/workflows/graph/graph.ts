import { z } from 'zod';
import { Node } from '../nodes/index.ts';
import { Trigger } from '../triggers/index.ts';

export const mostNodes = 100;

/** A workflow as callers write it. A draft may be incomplete, so another check decides whether it can be published. */
export const Graph = z
  .strictObject({ trigger: Trigger, nodes: z.array(Node).max(mostNodes).default([]) })
  .meta({ id: 'WorkflowGraph' });
export type Graph = z.output<typeof Graph>;

/** The same for a tool that refers to create_workflow: the schema alone is two thousand tokens. */
export const ReplacingGraph = z
  .unknown()
  .meta({ type: 'object', description: 'As in create_workflow; it replaces the whole.' })
  .pipe(Graph);
