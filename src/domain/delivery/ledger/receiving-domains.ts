import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import { asksForLess } from './asks-for-less.ts';
import { domainOf } from './domain-of.ts';
import { readSlow, takeTurns, turnMs } from './turns.ts';

const minute = 60_000;
const slowFor = 90 * minute;
const pausedFor = 60 * minute;
/** A row that already covers almost as long is not updated: otherwise every message of a window would write it. */
const closeEnough = 5 * minute;

export interface Admitted {
  readonly go: Set<number>;
  /** When to try the recipients that may not be sent to now. */
  readonly later: Map<number, Date>;
}

/**
 * Decides which recipients may be sent to now. A domain that asked for less mail gets one message a minute from all who
 * send over the organization's route or from the organization, whichever it asked. Its other recipients follow a minute apart, none
 * later than the end of the slow period. A domain whose turn another transaction is taking is not waited for.
 */
export async function admit(
  work: Work,
  recipients: readonly { readonly id: number; readonly address: string }[],
): Promise<Admitted> {
  const go = new Set(recipients.map(({ id }) => id));
  const later = new Map<number, Date>();
  const byDomain = Map.groupBy(recipients, ({ address }) => domainOf(address));
  const slow = await readSlow(work, [...byDomain.keys()]);
  const turns = await takeTurns(work, slow);
  for (const { domain, slow_until, own_next, next_of_all } of slow) {
    const isTurn = turns.has(domain);
    const ids = byDomain.get(domain)!.map(({ id }) => id);
    const waiting = ids.toSorted((a, b) => a - b).slice(isTurn ? 1 : 0);
    const next = Math.max(own_next?.getTime() ?? 0, next_of_all?.getTime() ?? 0);
    const first = isTurn || next <= work.now.getTime() ? work.now.getTime() + turnMs : next;
    for (const [place, id] of waiting.entries()) {
      go.delete(id);
      later.set(id, new Date(Math.min(first + place * turnMs, slow_until.getTime())));
    }
  }
  return { go, later };
}

/**
 * Records a deferral of a message that went over a route. If the reply asks for less mail, whoever it asks sends the
 * domain less for 90 minutes: the organization, or all who send over that route.
 */
export async function noteDeferral(
  work: Work,
  address: string,
  code: string | undefined,
  reply: string,
  route: string,
): Promise<void> {
  const asked = asksForLess(code, reply);
  if (asked === undefined) return;
  const slow = { lasting: slowFor, next: turnMs, reason: `asked for less ${code ?? ''}` };
  if (asked === 'organization') return slowDown(work, address, slow);
  const after = (ms: number) => new Date(work.now.getTime() + ms);
  await sql`
    select gate.slow_down(${route}, ${domainOf(address)}, ${after(slow.lasting)}, ${after(slow.next)}, ${slow.reason.trim()})`.execute(
    work.db,
  );
}

/** The domain refused this sender rather than the recipient: nothing is sent there for an hour. */
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
