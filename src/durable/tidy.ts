import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { tryThing } from '../database/locks.ts';
import { relayTransaction } from '../database/org-transaction.ts';
import type { Database } from '../database/pool.ts';
import { recentWindows } from '../domain/broadcasts/sending/windows.ts';
import { forgetDraft, type OldDraft } from '../domain/imports/record/forget-draft.ts';
import type { Clock } from '../kernel/clock.ts';

const everyMs = 60_000;
const mostRows = 5_000;
const linksEvery = 60; // rounds: those that were followed stay, and are passed over each time
const windowDays = 8; // the fence forgets a broadcast 7 days after its last window
const mostDrafts = 20; // a draft may hold 40 MB of rows
const draftDays = 30;

/** How many whole months of a table are kept, beside the current one. */
export type KeepMonths = Readonly<Record<'tracking_hits' | 'events' | 'deliveries' | 'audit_log', number>>;

export interface TidyParts {
  readonly keep: KeepMonths;
  /** Months past what is kept are detached and left to the operator, not dropped. */
  readonly detach: boolean;
  readonly onExpired: (month: string) => void;
  readonly onTrouble: (error: unknown) => void;
}

/** Ends what is past its time (ADR 65). One that fails does not hold up the others. */
export async function tidy(database: Database, now: Date, parts: TidyParts, links = true): Promise<void> {
  for (const [table, months] of Object.entries(parts.keep)) {
    const month = await expireMonth(database, table, months, parts.detach).catch(parts.onTrouble);
    if (typeof month === 'string') parts.onExpired(month);
  }
  const often = [forgetRateWindows, forgetDeliveryWindows, forgetEventNames, forgetSlowDomains];
  for (const part of links ? [...often, forgetLinks] : often)
    await untilDone(() => part(database, now)).catch(parts.onTrouble);
  await untilDone(() => forgetAccountActs(database, parts.keep.audit_log)).catch(parts.onTrouble);
  const until = new Date(now.getTime() - draftDays * 86_400_000);
  const drafts = await oldDrafts(database, until).catch(parts.onTrouble);
  for (const draft of drafts ?? []) await forgetDraft(database, draft, now).catch(parts.onTrouble);
}

/** Undefined while another relay process does it. */
const alone = <T>(
  database: Database,
  what: string,
  act: (db: Database) => Promise<T>,
): Promise<T | undefined> =>
  relayTransaction(database, async (db) => ((await tryThing(db, 'tidying', what)) ? act(db) : undefined));

const expireMonth = (
  database: Database,
  table: string,
  months: number,
  detach: boolean,
): Promise<string | null | undefined> =>
  alone(database, table, async (db) => {
    const { rows } = await sql<{ month: string | null }>`
      select expire_month(${table}, ${months}, ${detach}) as month`.execute(db);
    return rows[0]!.month;
  });

/** As many parts as there are: a service that grows must not leave more behind than it cleans. */
async function untilDone(part: () => Promise<number | undefined>): Promise<void> {
  while ((await part()) === mostRows);
}

const countOf = ({ numAffectedRows }: { readonly numAffectedRows?: bigint }): number =>
  Number(numAffectedRows ?? 0n);

const forgetRateWindows = (database: Database, now: Date): Promise<number | undefined> =>
  alone(database, 'rate_windows', async (db) =>
    countOf(
      await sql`
      delete from rate_windows where (org_id, class) in (
        select org_id, class from rate_windows
        where window_start < ${now}::timestamptz - interval '1 day' limit ${mostRows})`.execute(db),
    ),
  );

/**
 * Windows that nobody asks for any more: of a lane that has claimed enough since, or of a broadcast that the fence has
 * forgotten. While it knows a broadcast it asks for the last window of each lane, however old.
 */
const forgetDeliveryWindows = (database: Database, now: Date): Promise<number | undefined> =>
  alone(database, 'delivery_windows', async (db) => {
    const since = sql`${now}::timestamptz - make_interval(days => ${windowDays})`;
    return countOf(
      await sql`
      delete from delivery_windows where (org_id, broadcast_id, lane, number) in (
        select w.org_id, w.broadcast_id, w.lane, w.number from delivery_windows w
        where w.claimed_at < ${since} and (
          exists (
            select 1 from delivery_windows l where l.org_id = w.org_id and l.broadcast_id = w.broadcast_id
              and l.lane = w.lane and l.number >= w.number + ${recentWindows})
          or not exists (
            select 1 from delivery_windows l where l.org_id = w.org_id and l.broadcast_id = w.broadcast_id
              and l.claimed_at >= ${since}))
        order by w.claimed_at limit ${mostRows})`.execute(db),
    );
  });

/** The names that callers gave events whose month is gone: a repeated one is a new event from then on. */
const forgetEventNames = (database: Database): Promise<number | undefined> =>
  alone(database, 'named_events', async (db) => {
    const { rows } = await sql<{ gone: number }>`select forget_event_names(${mostRows}) as gone`.execute(db);
    return rows[0]!.gone;
  });

/** The audit log of accounts, which is kept as long as that of organizations. */
const forgetAccountActs = (database: Database, months: number): Promise<number> =>
  relayTransaction(database, async (db) => {
    const { rows } = await sql<{ gone: number }>`
      select forget_account_acts(${months}, ${mostRows}) as gone`.execute(db);
    return rows[0]!.gone;
  });

/** Links that nobody followed, of broadcasts whose messages are gone. Those with clicks are totals, and stay. */
const forgetLinks = (database: Database): Promise<number | undefined> =>
  alone(database, 'broadcast_links', async (db) => {
    const { rows } = await sql<{ gone: number }>`select forget_links(${mostRows}) as gone`.execute(db);
    return rows[0]!.gone;
  });

/** Receivers that have long been asking for no less any more, with who took turns at them. */
const forgetSlowDomains = (database: Database, now: Date): Promise<number | undefined> =>
  alone(database, 'slow_domains', async (db) => {
    const isOver = sql`slow_until < ${now}::timestamptz - interval '1 day'`;
    // Asked of the row again: it may have slowed down anew meanwhile.
    const { rows } = await sql<{ gone: number }>`
      with forgotten as (
        delete from installation.slow_domains where ${isOver} and (route, domain) in (
          select route, domain from installation.slow_domains where ${isOver} limit ${mostRows})
        returning route, domain),
      turns as (
        delete from installation.turn_requests r using forgotten f
        where r.route = f.route and r.domain = f.domain)
      select count(*)::int as gone from forgotten`.execute(db);
    return rows[0]!.gone;
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
  for (let round = 0; !stop.aborted; round++) {
    await tidy(database, clock.now(), parts, round % linksEvery === 0);
    await pause(everyMs, undefined, { signal: stop }).catch(() => undefined);
  }
}
