import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { momentOf } from '../waits/clock.ts';
import { accountOf } from './platforms/connection.ts';
import type { PlatformEvent } from './platforms/connector.ts';

/** When whoever reads is given up on: the platform's cursors are good for a quarter of an hour. */
export const leaseMs = 15 * 60_000;

export interface SyncRef {
  readonly org: OrgId;
  readonly webinar: string;
  /** Whoever has it reads on; without one, somebody begins. */
  readonly ticket?: number;
  readonly cursor?: string;
  /** Rows so far: of this session, and of nobody who is registered here. */
  readonly rows?: number;
  readonly strangers?: number;
  /** How often this page could not be had. */
  readonly tries?: number;
}

export interface DueSync {
  readonly ticket: number;
  readonly platform: 'zoom';
  readonly event: PlatformEvent;
  readonly start: Date;
  readonly end: Date;
  readonly hadTrouble: boolean;
  /** How often the report was not to be had so far. */
  readonly tries: number;
}

/** Takes a report that is due, or goes on with one; not that of a webinar that will not take place. */
export async function takeUp({ db, org, now, keys }: Work, ref: SyncRef): Promise<DueSync | undefined> {
  const isMine = ref.ticket === undefined ? sql`l.sync_at <= ${now}` : sql`l.sync_ticket = ${ref.ticket}`;
  const { rows } = await sql<{
    ticket: number;
    platform: 'zoom';
    event_id: string;
    id: string;
    account_id: string;
    client_id: string;
    secrets: Buffer;
    trouble: string | null;
    start: Date;
    end: Date;
    tries: number;
  }>`
    update platform_links l set sync_at = ${new Date(now.getTime() + leaseMs)},
      sync_ticket = sync_ticket + ${ref.ticket === undefined ? 1 : 0}
    from platform_connections c, webinars t
    where l.org_id = ${org} and l.webinar_id = ${ref.webinar} and ${isMine} and t.status <> 'canceled'
      and c.org_id = l.org_id and c.id = l.connection_id and t.org_id = l.org_id and t.id = l.webinar_id
    returning l.sync_ticket as ticket, c.platform, l.event_id, c.id, c.account_id, c.client_id, c.secrets, c.trouble,
      t.start_time as start, ${momentOf('end')} as end, l.sync_tries as tries`.execute(db);
  const [found] = rows;
  if (found === undefined) return undefined;
  const { ticket, platform, event_id, start, end, tries, trouble } = found;
  const event = { account: accountOf(keys.stored, org, found), eventId: event_id };
  return { ticket, platform, event, start, end, tries, hadTrouble: trouble !== null };
}
