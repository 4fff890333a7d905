import { z } from 'zod';
import { SenderId, WebinarId } from '../../kernel/ids.ts';
import { EventName } from '../events/event.ts';
import { mostTextInValue } from '../properties/property-value.ts';
import { SentCondition } from '../segments/condition.ts';
import { messageInput } from '../broadcasts/draft-input.ts';

const mostNodes = 100;
const mostMinutes = 366 * 24 * 60;

/** What a node is called in its graph; others name it by this. */
const NodeId = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,
    'A node is called by up to 64 letters, digits, _ and -, the first a letter or digit.',
  );
/** The node that comes after it: whatever is named must be there. */
const Next = z.string().max(64).optional();

const Trigger = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('webinar_registration'),
    webinar_id: WebinarId.nullable()
      .default(null)
      .describe('Only registrations for this one; null: for any.'),
    next: Next,
  }),
  z.strictObject({ type: z.literal('event'), event_name: EventName, next: Next }),
]);
export type Trigger = z.output<typeof Trigger>;

const Wait = z
  .strictObject({
    id: NodeId,
    type: z.literal('wait'),
    duration_minutes: z.number().min(0).max(mostMinutes).optional().describe('Wait so long.'),
    anchor: z.enum(['start', 'end']).optional().describe("Or wait for a moment of the run's webinar."),
    offset_minutes: z
      .number()
      .min(-mostMinutes)
      .max(mostMinutes)
      .optional()
      .describe('With anchor: so many minutes after it; negative means before it.'),
    next: Next,
    past: Next.describe(
      'With anchor: where a run goes whose moment had already passed when it came here or when the webinar was moved. ' +
        'Without it such a run goes on at once.',
    ),
  })
  .refine(
    ({ duration_minutes, anchor }) => (duration_minutes === undefined) !== (anchor === undefined),
    'A wait has duration_minutes or anchor, one of the two.',
  )
  .refine(
    ({ anchor, offset_minutes, past }) =>
      anchor !== undefined || (offset_minutes === undefined && past === undefined),
    'offset_minutes and past go with anchor.',
  );
export type Wait = z.output<typeof Wait>;

export const Node = z.discriminatedUnion('type', [
  Wait,
  z.strictObject({
    id: NodeId,
    type: z.literal('attendance_split'),
    attended: Next.describe('For whoever is recorded as attended when the run comes by.'),
    no_show: Next.describe('For everybody else.'),
  }),
  z.strictObject({
    id: NodeId,
    type: z.literal('condition_split'),
    filters: z.array(SentCondition).min(1).max(20).describe('As in create_segment: all must hold.'),
    yes: Next,
    no: Next,
  }),
  z.strictObject({
    id: NodeId,
    type: z.literal('send_email'),
    subject: messageInput.subject.optional(),
    preview_text: messageInput.preview_text.optional(),
    html: messageInput.html.optional(),
    variables: messageInput.variables.optional(),
    sender_id: SenderId.optional(),
    next: Next,
  }),
  z.strictObject({
    id: NodeId,
    type: z.literal('send_text'),
    message_body: messageInput.message_body.optional(),
    variables: messageInput.variables.optional(),
    next: Next,
  }),
  z.strictObject({
    id: NodeId,
    type: z.literal('set_property'),
    key: z.string().min(1).max(100),
    value: z.union([z.string().max(mostTextInValue), z.number(), z.boolean()]),
    next: Next,
  }),
  z.strictObject({ id: NodeId, type: z.literal('end') }),
]);
export type Node = z.output<typeof Node>;

/** A workflow as callers write it. Whether it can be published is judged apart: a draft may be half done. */
export const Graph = z
  .strictObject({ trigger: Trigger, nodes: z.array(Node).max(mostNodes).default([]) })
  .meta({ id: 'WorkflowGraph' });
export type Graph = z.output<typeof Graph>;

/** The same where another tool has told already what it takes: its schema alone is two thousand tokens. */
export const GraphAsTold = z
  .unknown()
  .meta({ type: 'object', description: 'As in create_workflow; it replaces the whole.' })
  .pipe(Graph);
