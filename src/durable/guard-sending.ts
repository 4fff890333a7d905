import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { orgTransaction, relayTransaction } from '../database/org-transaction.ts';
import type { Database } from '../database/pool.ts';
import { suspendOrganization } from '../domain/orgs/change-state.ts';
import type { Clock } from '../kernel/clock.ts';
import type { OrgId } from '../kernel/ids.ts';

const everyMs = 10_000;
const mostAtOnce = 100;

/** An organization that is above one of these, in percent of what it handed over within a day, is suspended. */
export interface SendingBounds {
  readonly bounces: number;
  readonly complaints: number;
  /** Fewer messages say nothing. */
  readonly fromMessages: number;
}

export interface Stopped {
  readonly org_id: OrgId;
  readonly handed: number;
  readonly bounced: number;
  readonly complained: number;
}

/** Suspends every organization whose bounces or complaints are above the bounds. Returns them with their counts. */
export async function guardSending(database: Database, now: Date, bounds: SendingBounds): Promise<Stopped[]> {
  const stopped: Stopped[] = [];
  for (const found of await findAbove(database, now, bounds)) {
    const reason = reasonOf(found, bounds);
    const isNews = await orgTransaction(database, found.org_id, 'write', (db) =>
      suspendOrganization({ db, org: found.org_id, now, actor: 'sending_guard', face: 'engine' }, reason),
    );
    if (isNews) stopped.push(found);
  }
  return stopped;
}

/**
 * Sums the tallies of a day, of those organizations alone that had a bounce or a complaint within the last half hour;
 * both by an index. What was counted before an organization was resumed is not held against it again.
 */
const findAbove = (
  database: Database,
  now: Date,
  { bounces, complaints, fromMessages }: SendingBounds,
): Promise<Stopped[]> =>
  relayTransaction(database, async (db) => {
    const { rows } = await sql<Stopped>`
      with troubled as (
        select distinct org_id from broadcast_tallies
        where kind in ('refused', 'bounced', 'complained') and quarter > ${now}::timestamptz - interval '30 minutes')
      select o.id as org_id, t.handed, t.bounced, t.complained
      from troubled join organizations o on o.id = troubled.org_id cross join lateral (
        select coalesce(sum(count) filter (where kind in ('sent', 'refused')), 0)::float8 as handed,
          coalesce(sum(count) filter (where kind in ('refused', 'bounced')), 0)::float8 as bounced,
          coalesce(sum(count) filter (where kind = 'complained'), 0)::float8 as complained
        from broadcast_tallies t
        where t.org_id = o.id and t.kind in ('sent', 'refused', 'bounced', 'complained') and t.quarter > greatest(
          ${now}::timestamptz - interval '24 hours', o.state_at) + make_interval(secs => o.clock_ahead_ms / 1000.0)
      ) t
      where o.state = 'active' and t.handed >= ${fromMessages}
        and (t.bounced > t.handed * ${bounces} / 100 or t.complained > t.handed * ${complaints} / 100)
      limit ${mostAtOnce}`.execute(db);
    return rows;
  });

function reasonOf({ handed, bounced, complained }: Stopped, bounds: SendingBounds): string {
  const isBounces = bounced > (handed * bounds.bounces) / 100;
  const [count, what, bound] = isBounces
    ? [bounced, 'bounced', bounds.bounces]
    : [complained, 'were complained about', bounds.complaints];
  return `Of ${handed} messages handed over within 24 hours ${count} ${what}, more than ${bound} %.`;
}

export interface GuardParts {
  readonly bounds: SendingBounds;
  readonly onStopped: (stopped: Stopped) => void;
  readonly onTrouble: (error: unknown) => void;
}

export async function runGuard(
  database: Database,
  clock: Clock,
  stop: AbortSignal,
  { bounds, onStopped, onTrouble }: GuardParts,
): Promise<void> {
  while (!stop.aborted) {
    const stopped = await guardSending(database, clock.now(), bounds).catch(onTrouble);
    for (const one of stopped ?? []) onStopped(one);
    await pause(everyMs, undefined, { signal: stop }).catch(() => undefined);
  }
}
