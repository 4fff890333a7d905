import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import { shareClock } from '../../waits/clock.ts';
import { accountColumns, accountOf } from './connection.ts';
import type { Account, ReportRow } from './connector.ts';
import { markAttended } from './mark-attended.ts';
import { isOfSession } from './plan-syncs.ts';
import type { Heard } from './platform.ts';
import { pullForward } from './pull-forward.ts';
import type { PlatformName } from './registry.ts';

/** The account of a connection to a platform; nothing, when there is no such connection. */
export async function readAccount(
  work: Work,
  platform: PlatformName,
  connection: string,
): Promise<Account | undefined> {
  const row = await work.db
    .selectFrom('platform_connections')
    .select(accountColumns)
    .where('org_id', '=', work.org)
    .where('id', '=', connection)
    .where('platform', '=', platform)
    .executeTakeFirst();
  return row && accountOf(work.keys.stored, work.org, row);
}

/** Records what a platform reported about one of its events. */
export async function noteHeard(work: Work, connection: string, heard: Heard): Promise<void> {
  if (heard.what === 'joined') await noteJoined(work, { connection, eventId: heard.eventId }, heard.row);
  if (heard.what === 'approved') await noteApproved(work, { connection, eventId: heard.eventId }, heard);
}

interface About {
  readonly connection: string;
  readonly eventId: string;
}

/** A participant joined: marks a registrant as attended, ignores others. Nothing counts long before the start. */
async function noteJoined(work: Work, about: About, row: ReportRow): Promise<void> {
  for (const { webinar_id, start_time } of await webinarsOf(work, about)) {
    if (isOfSession(work.now, start_time)) await markAttended(work, webinar_id, [row]);
  }
}

/** A host approved a registrant, whose personal link now exists. */
async function noteApproved(
  work: Work,
  about: About,
  { externalId, joinUrl }: { readonly externalId: string; readonly joinUrl: string },
): Promise<void> {
  for (const { webinar_id } of await webinarsOf(work, about)) {
    await shareClock(work, webinar_id); // before locking the registration, as link_webinar does
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
