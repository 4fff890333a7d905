import type { Input, Output } from '../../call/types.ts';

type Sent = NonNullable<Input<'create_workflow'>['graph']>;

export type Trigger = Sent['trigger'];
export type Node = NonNullable<Sent['nodes']>[number];
/** The draft as the service takes and gives it; the page keeps no form of its own. */
export interface Graph {
  readonly trigger: Trigger;
  readonly nodes: Node[];
}
export type NodeType = Node['type'];
export type Workflow = Output<'get_workflow'>['workflow'];

/** The name under which the service counts what has not reached the first node. No node is called so. */
export const atTrigger = 'trigger';

/** A way out of a node, or of the trigger: by the field that names where it leads. */
export interface Way {
  readonly from: string;
  readonly field: string;
}

export const graphOf = ({ graph }: Workflow): Graph => graph as unknown as Graph;

/** `path`: a run was there. `here`: it waits there. `next`: it would come. `dim`: it would not. */
export type Tone = 'path' | 'here' | 'next' | 'dim';
