import { sql } from 'kysely';
import type { Database } from '../../database/pool.ts';
import { orgTransaction } from '../../database/org-transaction.ts';
import type { OrgId } from '../../kernel/ids.ts';

export type CostClass = 'read' | 'write' | 'heavy';

export interface RatePolicy {
  readonly perMinute: Readonly<Record<CostClass, number>>;
}

export interface RateStanding {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** Takes one call from the allowance, or as many as a call turned out to be worth. */
export type TakeRate = (org: OrgId, cost: CostClass, now: Date, calls?: number) => Promise<RateStanding>;

/** A heavy call counts once more for each of these. */
export const heavyUnitMs = 250;

const windowMs = 60_000;

interface Lease {
  readonly windowStart: number;
  /** Below zero after a call that was worth more than was left. */
  left: number;
  /** What the whole organization had left when this lease was taken. */
  elsewhere: number;
}

/**
 * Counts calls of an organization over all processes without a write a call: each process takes a share of the
 * window's allowance at a time, a twentieth of what is left, down to single calls near the end. So the sum never
 * passes the limit, and a full window costs about a hundred small updates instead of thousands.
 */
export function rateLimiter(database: Database, policy: RatePolicy): TakeRate {
  const leases = new Map<string, Lease>();
  const renewing = new Map<string, Promise<Lease>>();

  async function renew(slot: string, org: OrgId, cost: CostClass, windowStart: number): Promise<Lease> {
    const limit = policy.perMinute[cost];
    const lease = await orgTransaction(database, org, 'write', async (db) => {
      const first = Math.min(limit, shareOf(limit));
      // A process whose clock lags counts in the window that the others have already entered.
      const { rows } = await sql<{ window_start: Date; used: number; last_grant: number }>`
        insert into rate_windows as w (org_id, class, window_start, used, last_grant)
        values (${org}, ${cost}, ${new Date(windowStart)}, ${first}, ${first})
        on conflict (org_id, class) do update set (window_start, used, last_grant) = (
          select greatest(w.window_start, excluded.window_start), spent + fair, fair
          from (select case when w.window_start < excluded.window_start then 0 else w.used end as spent) s,
            lateral (select least(${limit} - spent, greatest(1, (${limit} - spent) / 20)) as fair) f)
        returning window_start, used, last_grant`.execute(db);
      const taken = rows[0]!;
      const before = leases.get(slot);
      const owed = before?.windowStart === taken.window_start.getTime() ? Math.min(0, before.left) : 0;
      return {
        windowStart: taken.window_start.getTime(),
        left: Math.max(0, taken.last_grant) + owed,
        elsewhere: Math.max(0, limit - taken.used),
      };
    });
    leases.set(slot, lease);
    return lease;
  }

  return async (org, cost, now, calls = 1) => {
    const windowStart = now.getTime() - (now.getTime() % windowMs);
    const slot = `${org} ${cost}`;
    let lease = leases.get(slot);
    while (
      lease === undefined ||
      lease.windowStart < windowStart ||
      (lease.left <= 0 && lease.elsewhere > 0)
    ) {
      if (leases.size > 50_000) leases.clear();
      let renewal = renewing.get(slot);
      if (renewal === undefined) {
        renewal = renew(slot, org, cost, windowStart).finally(() => renewing.delete(slot));
        renewing.set(slot, renewal);
      }
      await renewal;
      lease = leases.get(slot); // a later one may have taken its place: renewing again would drop what is left of it
    }
    const allowed = lease.left > 0;
    if (allowed) lease.left -= calls;
    const resetSeconds = Math.ceil((lease.windowStart + windowMs - now.getTime()) / 1000);
    return {
      allowed,
      limit: policy.perMinute[cost],
      remaining: Math.max(0, lease.left + lease.elsewhere),
      resetSeconds,
    };
  };
}

const shareOf = (left: number): number => Math.max(1, Math.trunc(left / 20));
