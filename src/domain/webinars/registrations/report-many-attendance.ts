import { sql } from 'kysely';
import { z } from 'zod';
import { holdPeople } from '../../../database/hold-people.ts';
import { defineOperation, type Work } from '../../../database/work.ts';
import { PersonId, WebinarId } from '../../../kernel/ids.ts';
import { EmailAddress, IdentifierValue } from '../../identifiers/identifier.ts';
import { personNotFound } from '../../identifiers/require-person.ts';
import { writeEvents } from '../../timeline/write-events.ts';
import { shareClock } from '../../waits/clock.ts';
import { requireWebinar } from '../record/webinar.ts';

const most = 200;

const Row = z
  .strictObject({
    person_id: PersonId.optional(),
    user_id: IdentifierValue.optional().describe("The organization's own id for the person."),
    email: EmailAddress.optional(),
    attended: z.boolean().default(true),
  })
  .refine(
    ({ person_id, user_id, email }) => (person_id ?? user_id ?? email) !== undefined,
    'Send person_id, user_id or email to say who it is about.',
  );
type Row = z.output<typeof Row>;

export const reportManyAttendance = defineOperation({
  name: 'report_many_attendance',
  title: 'Report attendance of many',
  summary:
    'Record for up to 200 registered people at once whether they attended a webinar, as report_attendance does for one. ' +
    'Rows that mean nobody who is registered are answered by their place and change nothing. Of two rows about one ' +
    'person the last counts; where a row says several things, person_id comes first, then user_id.',
  permission: 'webinars.write',
  effect: 'change',
  repeatable: true,
  cost: 'heavy',
  faces: { rest: ['POST /v1/webinars/:webinar_id/attendance'] },
  input: z.strictObject({ webinar_id: WebinarId, rows: z.array(Row).min(1).max(most) }),
  output: z.object({
    changed: z.int().describe('How many registrations are told otherwise than before.'),
    not_registered: z
      .array(z.int())
      .describe('Places of rows that mean nobody who is registered, from 0 on.'),
  }),
  handle: async (work, { webinar_id: asked, rows }) => {
    const webinar = await requireWebinar(work, asked);
    const people = await peopleOf(work, webinar.id, rows);
    await mustBeThere(
      work,
      rows.flatMap(({ person_id }, at) =>
        person_id === undefined || people[at] !== null ? [] : [person_id],
      ),
    );
    const said = new Map(
      people.flatMap((person, at) => (person === null ? [] : [[person, rows[at]!.attended]])),
    );
    await holdPeople(work, [...said.keys()], 'staying');
    await shareClock(work, webinar.id); // before registrations, as report_attendance does
    const changed = await write(work, webinar.id, said);
    if (changed.length > 0) {
      Object.assign(work.touched, { webinar_id: webinar.id, registration_ids: changed.map(({ id }) => id) });
    }
    await writeEvents(
      work,
      changed
        .filter(({ is_news }) => is_news)
        .map(({ id, person_id, attended }) => ({
          person_id,
          name: '$svc_webinar_attendance',
          custom_properties: {
            webinar_id: webinar.id,
            webinar_title: webinar.title,
            registration_id: id,
            attended,
          },
          occurred_at: work.now,
        })),
    );
    return {
      changed: changed.filter(({ is_news }) => is_news).length,
      not_registered: people.flatMap((person, at) => (person === null ? [at] : [])),
    };
  },
});

/** The registrant each row means, or null. */
async function peopleOf(
  { db, org }: Work,
  webinar: string,
  rows: readonly Row[],
): Promise<readonly (string | null)[]> {
  const { rows: found } = await sql<{ person_id: string | null }>`
    select r.person_id
    from jsonb_to_recordset(${JSON.stringify(rows.map((row, at) => ({ ...row, at })))}::jsonb)
      as s(at bigint, person_id uuid, user_id text, email text)
    left join lateral (
      select coalesce(s.person_id, (
        select i.person_id from identifiers i
        where i.org_id = ${org} and i.type = 'org_assigned_user_id' and i.value = s.user_id limit 1), (
        select i.person_id from identifiers i
        where i.org_id = ${org} and i.type = 'email' and i.value = s.email limit 1)) as person_id
    ) meant on true
    left join registrations r on r.org_id = ${org} and r.webinar_id = ${webinar} and r.person_id = meant.person_id
    order by s.at`.execute(db);
  return found.map(({ person_id }) => person_id);
}

/** An id that nobody has is a mistake of the caller, and no row of a list. */
async function mustBeThere(work: Work, ids: readonly PersonId[]): Promise<void> {
  if (ids.length === 0) return;
  const there = await work.db
    .selectFrom('people')
    .select('id')
    .where('org_id', '=', work.org)
    .where('id', 'in', ids)
    .execute();
  const known = new Set<string>(there.map(({ id }) => id));
  const missing = ids.find((id) => !known.has(id.toLowerCase()));
  if (missing !== undefined) throw await personNotFound(work, missing);
}

interface Written {
  readonly id: string;
  readonly person_id: string;
  readonly attended: boolean;
  /** Repeating a known fact is no news to a workflow that listens for it. */
  readonly is_news: boolean;
}

async function write(
  work: Work,
  webinar: string,
  said: ReadonlyMap<string, boolean>,
): Promise<readonly Written[]> {
  const { rows } = await sql<Written>`
    with held as (
      select r.id, s.attended, r.attended <> s.attended or r.attendance_source is null as is_news
      from unnest(${[...said.keys()]}::uuid[], ${[...said.values()]}::boolean[]) as s(person_id, attended)
      join registrations r on r.org_id = ${work.org} and r.webinar_id = ${webinar} and r.person_id = s.person_id
      where r.attended <> s.attended or r.attendance_source is distinct from 'api'
      order by r.id for no key update of r)
    update registrations r set attended = held.attended, attendance_source = 'api', attendance_at = ${work.now}
    from held where r.org_id = ${work.org} and r.id = held.id
    returning r.id, r.person_id, r.attended, held.is_news`.execute(work.db);
  return rows;
}
