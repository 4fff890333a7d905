import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { relayTransaction } from '../database/org-transaction.ts';
import type { Database } from '../database/pool.ts';
import { recentWindows } from '../domain/broadcasts/sending/windows.ts';
import { forgetDraft, type OldDraft } from '../domain/imports/record/forget-draft.ts';
import type { Clock } from '../kernel/clock.ts';

const everyMs = 60_000;
const mostWindows = 5_000;
const windowDays = 8; // the fence forgets a broadcast 7 days after its last window
const mostDomains = 1_000;
const mostDrafts = 20; // a draft may hold 40 MB of rows
const draftDays = 30;

/** How many whole months of a table are kept, beside the current one. */
export type KeepMonths = Readonly<
  Record<'tracking_hits' | 'events' | 'deliveries' | 'sent_emails' | 'sent_messages' | 'audit_log', number>
>;

export interface TidyParts {
  readonly keep: KeepMonths;
  /** Months past what is kept are detached and left to the operator, not dropped. */
  readonly detach: boolean;
  readonly onExpired: (month: string) => void;
  readonly onTrouble: (error: unknown) => void;
}

/** Ends what is past its time, a bounded part of each (ADR 65). One that fails does not hold up the others. */
export async function tidy(database: Database, now: Date, parts: TidyParts): Promise<void> {
  for (const [table, months] of Object.entries(parts.keep)) {
    const month = await expireMonth(database, table, months, parts.detach).catch(parts.onTrouble);
    if (typeof month === 'string') parts.onExpired(month);
  }
  await forgetRateWindows(database, now).catch(parts.onTrouble);
  await forgetDeliveryWindows(database, now).catch(parts.onTrouble);
  await forgetSlowDomains(database, now).catch(parts.onTrouble);
  const until = new Date(now.getTime() - draftDays * 86_400_000);
  const drafts = await oldDrafts(database, until).catch(parts.onTrouble);
  for (const draft of drafts ?? []) await forgetDraft(database, draft, now).catch(parts.onTrouble);
}

const expireMonth = (
  database: Database,
  table: string,
  months: number,
  detach: boolean,
): Promise<string | null> =>
  relayTransaction(database, async (db) => {
    const { rows } = await sql<{ month: string | null }>`
      select expire_month(${table}, ${months}, ${detach}) as month`.execute(db);
    return rows[0]!.month;
  });

const forgetRateWindows = (database: Database, now: Date): Promise<unknown> =>
  relayTransaction(database, (db) =>
    sql`
      delete from rate_windows where (org_id, class) in (
        select org_id, class from rate_windows
        where window_start < ${now}::timestamptz - interval '1 day' limit ${mostWindows})`.execute(db),
  );

/**
 * Windows that nobody asks for any more: of a lane that has claimed enough since, or of a broadcast that the fence has
 * forgotten. While it knows a broadcast it asks for the last window of each lane, however old.
 */
const forgetDeliveryWindows = (database: Database, now: Date): Promise<unknown> =>
  relayTransaction(database, (db) => {
    const since = sql`${now}::timestamptz - make_interval(days => ${windowDays})`;
    return sql`
      delete from delivery_windows where (org_id, broadcast_id, lane, number) in (
        select w.org_id, w.broadcast_id, w.lane, w.number from delivery_windows w
        where w.claimed_at < ${since} and (
          exists (
            select 1 from delivery_windows l where l.org_id = w.org_id and l.broadcast_id = w.broadcast_id
              and l.lane = w.lane and l.number >= w.number + ${recentWindows})
          or not exists (
            select 1 from delivery_windows l where l.org_id = w.org_id and l.broadcast_id = w.broadcast_id
              and l.claimed_at >= ${since}))
        order by w.claimed_at limit ${mostWindows})`.execute(db);
  });

/** Receivers that have long been asking for no less any more, with who took turns at them. */
const forgetSlowDomains = (database: Database, now: Date): Promise<unknown> =>
  relayTransaction(database, (db) => {
    const isOver = sql`slow_until < ${now}::timestamptz - interval '1 day'`;
    // Asked of the row again: it may have slowed down anew meanwhile.
    return sql`
      with forgotten as (
        delete from installation.slow_domains where ${isOver} and (route, domain) in (
          select route, domain from installation.slow_domains where ${isOver} limit ${mostDomains})
        returning route, domain)
      delete from installation.turn_requests r using forgotten f
      where r.route = f.route and r.domain = f.domain`.execute(db);
  });

const oldDrafts = (database: Database, until: Date): Promise<OldDraft[]> =>
  relayTransaction(database, async (db) => {
    const { rows } = await sql<OldDraft>`
      select org_id, id as import_id from imports
      where committed_at is null and created_at < ${until} order by created_at limit ${mostDrafts}`.execute(
      db,
    );
    return rows;
  });

export async function runTidying(
  database: Database,
  clock: Clock,
  stop: AbortSignal,
  parts: TidyParts,
): Promise<void> {
  while (!stop.aborted) {
    await tidy(database, clock.now(), parts);
    await pause(everyMs, undefined, { signal: stop }).catch(() => undefined);
  }
}
