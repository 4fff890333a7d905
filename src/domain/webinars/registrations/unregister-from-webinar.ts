import { sql } from 'kysely';
import { z } from 'zod';
import { defineOperation, type Work } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { PersonId, WebinarId } from '../../../kernel/ids.ts';
import { writeEvents } from '../../timeline/write-events.ts';
import { EmailAddress, IdentifierValue } from '../../identifiers/identifier.ts';
import { requirePerson } from '../../identifiers/require-person.ts';
import { identifiersOf, lookUp } from '../../people/identify/find-or-create.ts';
import { shareClock } from '../../waits/clock.ts';
import { requireWebinar } from '../record/webinar.ts';

export const unregisterFromWebinar = defineOperation({
  name: 'unregister_from_webinar',
  title: 'Take a registration back',
  summary:
    'Take somebody off a webinar: their workflow runs for it end, and nothing more is sent to them because of it. Their ' +
    'timeline keeps that they were registered. They may register again. A connected platform is not told.',
  permission: 'webinars.write',
  effect: 'destroy',
  faces: { rest: ['POST /v1/webinars/unregister'] },
  input: z
    .strictObject({
      webinar_id: WebinarId,
      person_id: PersonId.optional(),
      user_id: IdentifierValue.optional().describe("The organization's own id for the person."),
      email: EmailAddress.optional(),
    })
    .refine(
      ({ person_id, user_id, email }) => (person_id === undefined) !== ((user_id ?? email) === undefined),
      'Send person_id, or else user_id or email, to say who it is about.',
    ),
  output: z.object({
    success: z.boolean(),
    registration_id: z.guid(),
    org_user_id: PersonId,
    ended_runs: z.int().describe('How many workflow runs ended by it.'),
  }),
  handle: async (work, { webinar_id: asked, person_id: named, ...who }) => {
    const webinar = await requireWebinar(work, asked);
    const webinar_id = webinar.id as WebinarId; // as stored, not as the caller spelled it
    const person_id = named ?? (await lookUp(work, identifiersOf(who))).person?.person_id;
    if (person_id === undefined) throw notRegistered();
    // Locks person, clock and registration in the order of registering. No wait of theirs is released meanwhile.
    await requirePerson(work, person_id, 'lock');
    await shareClock(work, webinar_id);
    const gone = await work.db
      .deleteFrom('registrations')
      .where('org_id', '=', work.org)
      .where('webinar_id', '=', webinar_id)
      .where('person_id', '=', person_id)
      .returning(['id', 'registered_at', 'attended', 'attendance_source'])
      .executeTakeFirst();
    if (gone === undefined) throw notRegistered();
    const registration_id = gone.id;
    const ended_runs = await endRunsOf(work, webinar_id, person_id);
    await writeEvents(work, [
      {
        person_id,
        name: '$svc_webinar_unregistration',
        custom_properties: {
          webinar_id,
          webinar_title: webinar.title,
          webinar_start_time: webinar.start_time.toISOString(),
          registration_id,
          registered_at: gone.registered_at.toISOString(),
          attended: gone.attendance_source === null ? null : gone.attended,
        },
        occurred_at: work.now,
      },
    ]);
    Object.assign(work.touched, { person_id, webinar_id, registration_id });
    return { success: true, registration_id, org_user_id: person_id, ended_runs };
  },
});

const notRegistered = (): Failure =>
  new Failure(
    'registration_not_found',
    'Nobody like this is registered for the webinar, so there is nothing to take back.',
  );

/** Also ends runs that an event of the webinar began. Messages in the ledger are left out when their turn comes. */
async function endRunsOf(work: Work, webinar: WebinarId, person: PersonId): Promise<number> {
  const { rows } = await sql<{ run_id: string }>`
    with ended as (
      update workflow_runs set state = 'ended', ended_at = ${work.now}, outcome = 'unregistered'
      where org_id = ${work.org} and person_id = ${person} and webinar_id = ${webinar} and state = 'running'
      returning id
    )
    delete from waits w using ended where w.org_id = ${work.org} and w.run_id = ended.id
    returning w.run_id`.execute(work.db);
  return rows.length;
}
