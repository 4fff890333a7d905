import { sql } from 'kysely';
import { addToOutbox } from '../../../database/outbox.ts';
import type { Work } from '../../../database/work.ts';

/** How long the runs of a registration wait for its personal link. */
const patienceMs = 120_000;

/**
 * Asks for a new registration to be pushed to the event its webinar is linked to. Returns when its runs set out at the
 * latest: now without a link, else in two minutes, so that the first message has the personal link. Writes only rows:
 * registering neither waits for the platform nor fails with it.
 *
 * Platforms count calls by real days, so a push goes by the service's clock. The caller shares the webinar's clock:
 * link_webinar holds it alone, and pushes everyone registered by then.
 */
export async function requestPush(work: Work, webinar: string, registration: string): Promise<Date> {
  const { rows } = await sql`
    with link as (
      select id from platform_links where org_id = ${work.org} and webinar_id = ${webinar} for key share
    )
    update registrations set push_state = 'pending', push_next_at = ${work.caller.now}, push_link = link.id
    from link
    where registrations.org_id = ${work.org} and registrations.id = ${registration}
    returning 1`.execute(work.db);
  if (rows.length === 0) return work.now;
  await tellPushes(work, webinar);
  return new Date(work.now.getTime() + patienceMs);
}

/** In SQL: whether there is an event to push to. It stays none while the webinar's clock is shared. */
export const isLinked = ({ org }: Work, webinar: string) => sql<boolean>`
  select exists (select from platform_links where org_id = ${org} and webinar_id = ${webinar})`;

export const tellPushes = (work: Work, webinar: string): Promise<void> =>
  addToOutbox(work, 'PlatformPush', { push_webinar_id: webinar });

/** Cancels the pushes still pending for an event. They are never many: see claim-pushes.ts. */
export const forgetPending = ({ db, org }: Work, webinar: string): Promise<unknown> =>
  sql`
    with held as (
      select id from registrations where org_id = ${org} and webinar_id = ${webinar} and push_next_at is not null
      order by id for no key update)
    update registrations r set push_state = null, push_next_at = null, push_error = null, push_link = null
    from held where r.org_id = ${org} and r.id = held.id`.execute(db);
