import { sql } from 'kysely';
import { z } from 'zod';
import {
  asWritten,
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
import { Next, NodeId, required } from '../shape/node-fields.ts';
import type { NodeType } from '../shape/node-type.ts';
import { splitBy } from '../shape/split.ts';

const schema = z.strictObject({
  id: NodeId,
  type: z.literal('attendance_split'),
  attended: Next.describe('For whoever is recorded as attended when the run comes by.'),
  no_show: Next.describe('For everybody else.'),
});

interface LiveAttendanceSplit {
  readonly type: 'attendance_split';
  readonly attended: string;
  readonly no_show: string;
}

export const attendanceSplit: NodeType<typeof schema, object, LiveAttendanceSplit, 'attended' | 'no_show'> = {
  type: 'attendance_split',
  label: 'Split by attendance',
  fields: {
    attended: { label: 'Attended', kind: 'node' },
    no_show: { label: 'Did not attend', kind: 'node' },
  },
  schema,
  edges: [
    { field: 'attended', needed: true },
    { field: 'no_show', needed: true },
  ],
  leastMinutes: takesNoTime,
  webinarPointer: () => '',
  senders: noSenders,
  normalize: asWritten,
  accept: nothingAccepted,
  problems: noProblems,
  compile: ({ type, attended, no_show }) => ({
    type,
    attended: required(attended),
    no_show: required(no_show),
  }),
  run: {
    type: 'attendance_split',
    deeds: { attended: 'Recorded as attended.', no_show: 'Not recorded as attended.' },
    // Asked when a run arrives: what was reported a second ago counts.
    ask: async ({ db, org }, _, { webinar_id, supposed }, people) => {
      if (supposed.attended !== undefined) return new Set(supposed.attended ? people : []);
      if (webinar_id === null) return new Set();
      const rows = await db
        .selectFrom('registrations')
        .select('person_id')
        .where('org_id', '=', org)
        .where('webinar_id', '=', webinar_id)
        .where('person_id', '=', sql<string>`any(${people}::uuid[])`)
        .where('attended', '=', true)
        .execute();
      return new Set(rows.map(({ person_id }) => person_id));
    },
    enter: async ({ attended, no_show }, travellers, { holds }) =>
      splitBy(await holds(), travellers, { did: 'attended', to: attended }, { did: 'no_show', to: no_show }),
    leave: nobodyWaits,
    sets: setsNothing,
    write: writesNothing,
    send: sendsNothing,
    simulate: onlySteps,
    counts: noCounts,
  },
};
