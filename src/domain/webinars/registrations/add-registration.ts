import { sql } from 'kysely';
import { TryAgain } from '../../../database/org-transaction.ts';
import type { Work } from '../../../database/work.ts';
import { newId, type PersonId, type WebinarId } from '../../../kernel/ids.ts';
import { writeEvents, type NewEvent } from '../../timeline/write-events.ts';
import type { Holder } from '../../people/identify/resolve-person.ts';
import type { LeftOut } from '../../properties/left-out.ts';
import { enrollRegistrant, isAwaited } from '../../triggers/enroll.ts';
import { shareClock } from '../../waits/clock.ts';
import { isLinked, requestPush } from '../platforms/request-push.ts';

interface Registering {
  readonly webinar_id: WebinarId;
  readonly person_id: PersonId;
  /** Sent identifiers that stay with other people. */
  readonly elsewhere: readonly Holder[];
  /** Sent properties that cannot be used. */
  readonly leftOut: readonly LeftOut[];
}

/**
 * Registers a person who is not registered yet, enrolls them and writes to their timeline, in this order. Returns the
 * registration's id. If another call registers them at this moment, this one starts over and finds it done.
 */
export async function addRegistration(work: Work, registering: Registering): Promise<string> {
  const { webinar_id, person_id } = registering;
  // Until this commits, the webinar is neither moved nor canceled, so no run begins for one that is.
  await shareClock(work, webinar_id);
  const { id: registration_id, webinar } = await insertRegistration(work, webinar_id, person_id);
  const at = webinar.is_linked ? await requestPush(work, webinar_id, registration_id) : work.now;
  if (webinar.is_awaited) await enrollRegistrant(work, { person_id, webinar_id, registration_id, at });
  await writeEvents(work, [
    ...notes(work, registering, registration_id),
    {
      person_id,
      name: '$svc_webinar_registration',
      custom_properties: {
        webinar_id,
        webinar_title: webinar.title,
        webinar_start_time: webinar.start_time.toISOString(),
        webinar_join_url: webinar.join_url ?? '',
        registration_id,
      },
      occurred_at: work.now,
    },
  ]);
  return registration_id;
}

interface Webinar {
  readonly title: string;
  readonly start_time: Date;
  readonly join_url: string | null;
  /** What else there is to do, asked in the statement that registers. Most webinars have neither. */
  readonly is_linked: boolean;
  readonly is_awaited: boolean;
}

/** The new row's id, and the webinar as it is while its clock is shared. */
async function insertRegistration(
  work: Work,
  webinar_id: WebinarId,
  person_id: PersonId,
): Promise<{ id: string; webinar: Webinar }> {
  const id = newId(work.now);
  const { rows } = await sql<Webinar & { added: boolean }>`
    with open as (
      select org_id, id, title, start_time, join_url from webinars
      where org_id = ${work.org} and id = ${webinar_id} and status <> 'canceled'
    ), added as (
      insert into registrations (org_id, id, webinar_id, person_id, registered_at)
      select org_id, ${id}, id, ${person_id}, ${work.now} from open
      on conflict (org_id, webinar_id, person_id) do nothing
      returning 1
    )
    select title, start_time, join_url, exists (select 1 from added) as added,
      (${isLinked(work, webinar_id)}) as is_linked, (${isAwaited(work, webinar_id)}) as is_awaited
    from open`.execute(work.db);
  const [webinar] = rows;
  if (webinar?.added !== true) throw new TryAgain();
  return { id, webinar };
}

/** Events for what the caller sent and the person did not get, so that it can be traced. Values are left out. */
function notes(
  work: Work,
  { person_id, webinar_id, elsewhere, leftOut }: Registering,
  id: string,
): NewEvent[] {
  const about = { webinar_id, registration_id: id };
  const conflicts = elsewhere.map((holder) => ({
    person_id,
    name: '$svc_identifier_conflict',
    custom_properties: { ...about, identifier_type: holder.type, held_by: holder.person_id },
    occurred_at: work.now,
  }));
  if (leftOut.length === 0) return conflicts;
  const left = {
    person_id,
    name: '$svc_properties_left_out',
    custom_properties: { ...about, properties: leftOut },
    occurred_at: work.now,
  };
  return [...conflicts, left];
}
