import { z } from 'zod';
import type { AnyNodeRun, NodeRun } from '../shape/node-run.ts';
import type { AnyNodeType, NodeTypes } from '../shape/node-type.ts';
import { attendanceSplit } from './attendance-split.ts';
import { conditionSplit } from './condition-split.ts';
import { end } from './end.ts';
import { sendEmail } from './send-email.ts';
import { sendText } from './send-text.ts';
import { setProperty } from './set-property.ts';
import { wait } from './wait.ts';

/** Never rename these: drafts and published versions store them. */
type NodeName =
  | 'wait'
  | 'attendance_split'
  | 'condition_split'
  | 'send_email'
  | 'send_text'
  | 'set_property'
  | 'end';

/** Every type of node, in the order in which the reference lists them. */
export const nodeTypes = {
  wait,
  attendance_split: attendanceSplit,
  condition_split: conditionSplit,
  send_email: sendEmail,
  send_text: sendText,
  set_property: setProperty,
  end,
} satisfies NodeTypes<NodeName>;

type Registered = (typeof nodeTypes)[NodeName];
type Schema = Registered['schema'];

/** A node of a draft. */
export const Node = z.discriminatedUnion(
  'type',
  Object.values(nodeTypes).map(({ schema }) => schema) as [Schema, ...Schema[]],
);
export type Node = z.output<Schema>;

/** A node of a published version. */
export type LiveNode = LiveOf<Registered['run']>;
type LiveOf<Run> = Run extends NodeRun<infer Live, string> ? Live : never;

/** What a run did at a node, for its path. */
export type Deed = DeedOf<Registered['run']>;
type DeedOf<Run> = Run extends { readonly deeds: infer Deeds } ? keyof Deeds : never;

export const typeOf = ({ type }: Node): AnyNodeType => nodeTypes[type];

const runs = new Map<string, AnyNodeRun>(Object.values(nodeTypes).map(({ run }) => [run.type, run]));

export const runOf = ({ type }: LiveNode): AnyNodeRun => {
  const run = runs.get(type);
  if (run === undefined) throw new Error(`a published graph has a node of type ${type}, which nobody knows`);
  return run;
};

export const liveTypes = [...runs.keys()] as LiveNode['type'][];

export const deeds = [...runs.values()].flatMap((run) => Object.keys(run.deeds)) as Deed[];
