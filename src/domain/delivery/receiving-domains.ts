import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import { asksForLess } from './asks-for-less.ts';
import { domainOf } from './domain-of.ts';

const minute = 60_000;
const slowFor = 90 * minute;
const pausedFor = 60 * minute;
/** What is slow for almost as long already is left as it is: else every message of a window would write the row. */
const closeEnough = 5 * minute;

export interface Admitted {
  readonly go: Set<number>;
  /** When to come again, for those that may not go now. */
  readonly later: Map<number, Date>;
}

/**
 * Who may be written to now. A domain that asked for less gets one message a minute, whoever sends it; the others come
 * one after another, by when it is over at the latest. A domain whose turn somebody else is just taking is not waited
 * for.
 */
export async function admit(
  work: Work,
  recipients: readonly { readonly id: number; readonly address: string }[],
): Promise<Admitted> {
  const go = new Set(recipients.map(({ id }) => id));
  const later = new Map<number, Date>();
  const byDomain = Map.groupBy(recipients, ({ address }) => domainOf(address));
  const slow = await readSlow(work, [...byDomain.keys()]);
  if (slow.length === 0) return { go, later };
  const turns = await takeTurns(work, slow);
  for (const { domain, slow_until, next_at } of slow) {
    const isTurn = turns.has(domain);
    const ids = byDomain.get(domain)!.map(({ id }) => id);
    const waiting = ids.toSorted((a, b) => a - b).slice(isTurn ? 1 : 0);
    const first = isTurn || next_at <= work.now ? work.now.getTime() + minute : next_at.getTime();
    for (const [place, id] of waiting.entries()) {
      go.delete(id);
      later.set(id, new Date(Math.min(first + place * minute, slow_until.getTime())));
    }
  }
  return { go, later };
}

interface SlowDomain {
  readonly domain: string;
  readonly slow_until: Date;
  readonly next_at: Date;
}

async function readSlow({ db, org, now }: Work, domains: readonly string[]): Promise<SlowDomain[]> {
  if (domains.length === 0) return [];
  const { rows } = await sql<SlowDomain>`
    select domain, slow_until, next_at from receiving_domains
    where org_id = ${org} and domain = any(${domains}) and slow_until > ${now}`.execute(db);
  return rows;
}

async function takeTurns({ db, org, now }: Work, slow: readonly SlowDomain[]): Promise<Set<string>> {
  const { rows } = await sql<{ domain: string }>`
    with turns as (
      select domain from receiving_domains
      where org_id = ${org} and domain = any(${slow.map(({ domain }) => domain)}) and next_at <= ${now}
      order by domain for update skip locked)
    update receiving_domains d set next_at = ${new Date(now.getTime() + minute)}
    from turns where d.org_id = ${org} and d.domain = turns.domain
    returning d.domain`.execute(db);
  return new Set(rows.map(({ domain }) => domain));
}

/** A message was put off: when the domain asked for less by that, it gets less for 90 minutes. */
export async function noteDeferral(
  work: Work,
  address: string,
  code: string | undefined,
  reply: string,
): Promise<void> {
  if (!asksForLess(code, reply)) return;
  await slowDown(work, address, { lasting: slowFor, next: minute, reason: `asked for less ${code ?? ''}` });
}

/** A domain refused us for what we are: nothing goes there for an hour. */
export const pauseDomain = (work: Work, address: string, reason: string): Promise<void> =>
  slowDown(work, address, { lasting: pausedFor, next: pausedFor, reason });

async function slowDown(
  { db, org, now }: Work,
  address: string,
  { lasting, next, reason }: { readonly lasting: number; readonly next: number; readonly reason: string },
): Promise<void> {
  const after = (ms: number) => new Date(now.getTime() + ms);
  await sql`
    insert into receiving_domains as d (org_id, domain, slow_until, next_at, reason)
    select ${org}::uuid, ${domainOf(address)}, ${after(lasting)}::timestamptz, ${after(next)}::timestamptz, ${reason.trim()}
    where not exists (
      select 1 from receiving_domains k where k.org_id = ${org} and k.domain = ${domainOf(address)}
        and k.slow_until > ${after(lasting - closeEnough)} and k.next_at >= ${after(next - closeEnough)})
    on conflict (org_id, domain) do update set
      slow_until = greatest(d.slow_until, excluded.slow_until), next_at = greatest(d.next_at, excluded.next_at),
      reason = excluded.reason`.execute(db);
}
