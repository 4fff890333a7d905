import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import { shareClock } from '../../waits/clock.ts';
import { openSecrets } from './connection.ts';
import type { ReportRow } from './connector.ts';
import { markAttended } from './mark-attended.ts';
import { isOfSession } from './plan-syncs.ts';
import { pullForward } from './pull-forward.ts';

/** What a connection's platform signs with; nothing, when there is no such connection. */
export async function readWebhookSecret(work: Work, connection: string): Promise<string | undefined> {
  const row = await work.db
    .selectFrom('platform_connections')
    .select(['id', 'secrets'])
    .where('org_id', '=', work.org)
    .where('id', '=', connection)
    .executeTakeFirst();
  return row === undefined ? undefined : openSecrets(work.keys.stored, work.org, row).webhook_secret_token;
}

interface About {
  readonly connection: string;
  readonly eventId: string;
}

/** Somebody is in the room: a registrant attends, anybody else is left alone. Nobody attends long before the start. */
export async function noteJoined(work: Work, about: About, row: ReportRow): Promise<void> {
  for (const { webinar_id, start_time } of await webinarsOf(work, about)) {
    if (isOfSession(work.now, start_time)) await markAttended(work, webinar_id, [row]);
  }
}

/** A host approved a registrant: now there is a personal link. */
export async function noteApproved(
  work: Work,
  about: About,
  { externalId, joinUrl }: { readonly externalId: string; readonly joinUrl: string },
): Promise<void> {
  for (const { webinar_id } of await webinarsOf(work, about)) {
    await shareClock(work, webinar_id); // before the registration is held, as by whoever links the webinar
    const { rows } = await sql<{ id: string }>`
      update registrations
      set push_state = 'registered', push_next_at = null, push_error = null, join_url = ${joinUrl}
      where org_id = ${work.org} and webinar_id = ${webinar_id} and external_id = ${externalId}
        and push_state = 'pending'
      returning id`.execute(work.db);
    for (const { id } of rows) await pullForward(work, webinar_id, id);
  }
}

const webinarsOf = ({ db, org }: Work, { connection, eventId }: About) =>
  db
    .selectFrom('platform_links as l')
    .innerJoin('webinars as t', (join) =>
      join.onRef('t.org_id', '=', 'l.org_id').onRef('t.id', '=', 'l.webinar_id'),
    )
    .select(['l.webinar_id', 't.start_time'])
    .where('l.org_id', '=', org)
    .where('l.connection_id', '=', connection)
    .where('l.event_id', '=', eventId)
    .where('t.status', '<>', 'canceled')
    .orderBy('l.webinar_id')
    .execute();
