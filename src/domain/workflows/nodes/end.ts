import { z } from 'zod';
import {
  asksNothing,
  asWritten,
  needsNoWebinar,
  nobodyWaits,
  noCounts,
  noProblems,
  noSenders,
  nothingAccepted,
  onlySteps,
  sendsNothing,
  setsNothing,
  writesNothing,
  takesNoTime,
} from '../shape/empty-parts.ts';
import { NodeId } from '../shape/node-fields.ts';
import type { NodeType } from '../shape/node-type.ts';

const schema = z.strictObject({ id: NodeId, type: z.literal('end') });

interface LiveEnd {
  readonly type: 'end';
}

export const end: NodeType<typeof schema, object, LiveEnd, 'ended'> = {
  type: 'end',
  label: 'End',
  fields: {},
  schema,
  edges: [],
  leastMinutes: takesNoTime,
  webinarPointer: needsNoWebinar,
  senders: noSenders,
  normalize: asWritten,
  accept: nothingAccepted,
  problems: noProblems,
  compile: () => ({ type: 'end' }),
  run: {
    type: 'end',
    deeds: { ended: 'The run came to its end.' },
    ask: asksNothing,
    enter: async (_, travellers) => travellers.map(() => ({ does: 'end', did: 'ended' })),
    leave: nobodyWaits,
    sets: setsNothing,
    write: writesNothing,
    send: sendsNothing,
    simulate: onlySteps,
    counts: noCounts,
  },
};
