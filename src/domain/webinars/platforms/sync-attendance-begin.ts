import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import type { OrgId } from '../../../kernel/ids.ts';
import { momentOf } from '../../waits/clock.ts';
import { accountOf, type AccountRow } from './connection.ts';
import type { PlatformEvent } from './connector.ts';
import { PlatformName } from './registry.ts';

/** How long a reader may be silent before another replaces it: the platform's cursors last 15 minutes. */
export const leaseMs = 15 * 60_000;

export interface SyncRef {
  readonly org: OrgId;
  readonly webinar: string;
  /** The holder of this ticket continues reading. Without a ticket, a new read begins. */
  readonly ticket?: number;
  readonly cursor?: string;
  /** Rows of this session so far, and those among them that match no registrant. */
  readonly rows?: number;
  readonly strangers?: number;
  /** How often reading this page failed. */
  readonly tries?: number;
}

export interface DueSync {
  readonly ticket: number;
  readonly platform: PlatformName;
  readonly event: PlatformEvent;
  readonly start: Date;
  readonly end: Date;
  readonly hadTrouble: boolean;
  /** How often reading the report has failed so far. */
  readonly tries: number;
}

/** Claims a report that is due, or continues with one; skips that of a canceled webinar. */
export async function claimSync({ db, org, now, keys }: Work, ref: SyncRef): Promise<DueSync | undefined> {
  const isMine = ref.ticket === undefined ? sql`l.sync_at <= ${now}` : sql`l.sync_ticket = ${ref.ticket}`;
  const { rows } = await sql<
    AccountRow & {
      ticket: number;
      event_id: string;
      trouble: string | null;
      start: Date;
      end: Date;
      tries: number;
    }
  >`
    update platform_links l set sync_at = ${new Date(now.getTime() + leaseMs)},
      sync_ticket = sync_ticket + ${ref.ticket === undefined ? 1 : 0}
    from platform_connections c, webinars t
    where l.org_id = ${org} and l.webinar_id = ${ref.webinar} and ${isMine} and t.status <> 'canceled'
      and c.org_id = l.org_id and c.id = l.connection_id and t.org_id = l.org_id and t.id = l.webinar_id
    returning l.sync_ticket as ticket, l.event_id,
      c.id, c.platform, c.account_id, c.details, c.secrets, c.trouble, t.start_time as start, ${momentOf('end')} as end, l.sync_tries as tries`.execute(
    db,
  );
  const [found] = rows;
  if (found === undefined) return undefined;
  const { ticket, event_id, start, end, tries, trouble } = found;
  const event = { account: accountOf(keys.stored, org, found), eventId: event_id };
  const platform = PlatformName.parse(found.platform);
  return { ticket, platform, event, start, end, tries, hadTrouble: trouble !== null };
}
