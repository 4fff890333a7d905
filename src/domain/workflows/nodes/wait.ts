import { z } from 'zod';
import {
  asksNothing,
  asWritten,
  noCounts,
  noProblems,
  noSenders,
  nothingAccepted,
  onlySteps,
  sendsNothing,
  setsNothing,
  writesNothing,
} from '../shape/empty-parts.ts';
import { Next, NodeId, required } from '../shape/node-fields.ts';
import type { Anchored, NodeRun } from '../shape/node-run.ts';
import type { NodeType } from '../shape/node-type.ts';
import type { WebinarTimes } from '../shape/times.ts';

const mostMinutes = 366 * 24 * 60;
const minute = 60_000;

const schema = z
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

export interface LiveWait {
  readonly type: 'wait';
  /** Milliseconds, or a moment of the webinar. */
  readonly for: number | Anchored;
  readonly next: string;
  readonly past: string;
}

type Deed = 'waited' | 'past';

const run: NodeRun<LiveWait, Deed> = {
  type: 'wait',
  deeds: { waited: 'The wait was over.', past: 'The moment to wait for had passed.' },
  ask: asksNothing,
  enter: async (node, travellers, { times }) =>
    travellers.map(({ at }) => {
      if (typeof node.for === 'number') return { does: 'wait', due: new Date(at.getTime() + node.for) };
      const due = momentOf(node.for, times);
      const bound = later(at, times?.movedAt);
      return due !== undefined && due >= bound
        ? { does: 'wait', due, anchored: node.for }
        : { does: 'go_on', to: node.past, at: bound, did: 'past' };
    }),
  leave: (node, { due, anchored, began_at }, { times, resumedAt }) => {
    const bound = later(later(began_at, times?.movedAt), resumedAt);
    return anchored && due < bound
      ? { does: 'go_on', to: node.past, at: bound, did: 'past' }
      : { does: 'go_on', to: node.next, at: due, did: 'waited' };
  },
  sets: setsNothing,
  write: writesNothing,
  send: sendsNothing,
  simulate: onlySteps,
  counts: noCounts,
};

export const wait: NodeType<typeof schema, object, LiveWait, Deed> = {
  type: 'wait',
  label: 'Wait',
  fields: {
    duration_minutes: { label: 'For', kind: 'minutes' },
    anchor: { label: 'Until the webinar’s', kind: 'anchor' },
    offset_minutes: { label: 'Minutes after it', kind: 'minutes' },
    next: { label: 'Then', kind: 'node' },
    past: { label: 'When that is over already', kind: 'node' },
  },
  schema,
  edges: [
    { field: 'next', needed: true },
    { field: 'past', needed: false },
  ],
  // An anchored wait's moment is fixed: a run that comes back to it continues at once.
  leastMinutes: ({ duration_minutes }) => duration_minutes ?? 0,
  webinarPointer: ({ anchor }) => (anchor === undefined ? undefined : '/anchor'),
  senders: noSenders,
  normalize: asWritten,
  accept: nothingAccepted,
  problems: noProblems,
  compile: ({ duration_minutes, anchor, offset_minutes, next, past }) => ({
    type: 'wait',
    for:
      anchor === undefined
        ? Math.round((duration_minutes ?? 0) * minute)
        : { anchor, offset_ms: Math.round((offset_minutes ?? 0) * minute) },
    next: required(next),
    past: past ?? required(next),
  }),
  run,
};

const momentOf = ({ anchor, offset_ms }: Anchored, times: WebinarTimes | undefined): Date | undefined =>
  times === undefined ? undefined : new Date(times[anchor].getTime() + offset_ms);

const later = (a: Date, b: Date | null | undefined): Date => (b !== null && b !== undefined && b > a ? b : a);
