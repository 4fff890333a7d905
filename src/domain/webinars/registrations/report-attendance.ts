import { z } from 'zod';
import { mustHoldPeople } from '../../../database/hold-people.ts';
import { defineOperation, type Work } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { PersonId, WebinarId } from '../../../kernel/ids.ts';
import { writeEvents } from '../../timeline/write-events.ts';
import { EmailAddress, IdentifierValue } from '../../identifiers/identifier.ts';
import { identifiersOf, lookUp } from '../../people/identify/find-or-create.ts';
import { shareClock } from '../../waits/clock.ts';
import { attendanceSources } from './registration.ts';
import { requireWebinar } from '../record/webinar.ts';

export const reportAttendance = defineOperation({
  name: 'report_attendance',
  title: 'Report attendance',
  summary:
    'Record whether a registered person attended a webinar. A later report replaces an earlier one, and stands ' +
    'against what a connected platform says. If email and user_id mean two people, user_id decides.',
  permission: 'webinars.write',
  effect: 'change',
  repeatable: true,
  faces: { rest: ['POST /v1/webinars/attendance'], tool: true },
  input: z
    .strictObject({
      webinar_id: WebinarId,
      user_id: IdentifierValue.optional().describe("The organization's own id for the person."),
      email: EmailAddress.optional(),
      attended: z.boolean().default(true),
    })
    .refine(
      ({ email, user_id }) => email !== undefined || user_id !== undefined,
      'Send email or user_id to say who it is about.',
    ),
  output: z.object({
    success: z.boolean(),
    registration_id: z.guid(),
    org_user_id: PersonId,
    attended: z.boolean(),
    previous_attended: z.boolean(),
    source: z.enum(attendanceSources),
  }),
  handle: async (work, { webinar_id: asked, attended, ...who }) => {
    const webinar = await requireWebinar(work, asked);
    const webinar_id = webinar.id as WebinarId; // as stored, not as the caller spelled it
    const { person } = await lookUp(work, identifiersOf(who));
    if (person === undefined) throw notRegistered();
    const { person_id } = person;
    const held = await holdRegistration(work, webinar_id, person_id);
    const registration_id = held.id;
    const changed = held.attended !== attended || held.attendance_source === null;
    if (changed || held.attendance_source !== 'api') {
      await work.db
        .updateTable('registrations')
        .set({ attended, attendance_source: 'api', attendance_at: work.now })
        .where('org_id', '=', work.org)
        .where('id', '=', registration_id)
        .execute();
      Object.assign(work.touched, { person_id, webinar_id, registration_id });
    }
    // Repeating a known fact is no news to a workflow that listens for it.
    if (changed) {
      const custom_properties = { webinar_id, webinar_title: webinar.title, registration_id, attended };
      const name = '$svc_webinar_attendance';
      await writeEvents(work, [{ person_id, name, custom_properties, occurred_at: work.now }]);
    }
    return {
      success: true,
      registration_id,
      org_user_id: person_id,
      attended,
      previous_attended: held.attended,
      source: 'api' as const,
    };
  },
});

const notRegistered = (): Failure =>
  new Failure('registration_not_found', 'Nobody with this email or user_id is registered for the webinar.');

interface Held {
  readonly id: string;
  readonly attended: boolean;
  readonly attendance_source: string | null;
}

/**
 * Locks the person before the registration, as a merge does. Shares the clock between the two, as registering does:
 * enrolling on the event asks for it afterwards, and link_webinar holds it while it locks registrations.
 */
async function holdRegistration(work: Work, webinar: WebinarId, person: PersonId): Promise<Held> {
  await mustHoldPeople(work, [person], 'staying');
  await shareClock(work, webinar);
  const held = await work.db
    .selectFrom('registrations')
    .select(['id', 'attended', 'attendance_source'])
    .where('org_id', '=', work.org)
    .where('webinar_id', '=', webinar)
    .where('person_id', '=', person)
    .forUpdate()
    .executeTakeFirst();
  if (held === undefined) throw notRegistered();
  return held;
}
