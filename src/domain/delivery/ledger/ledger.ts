import { sql, type SqlBool } from 'kysely';
import type { Work } from '../../../database/work.ts';
import type { PersonId } from '../../../kernel/ids.ts';
import { notResent } from './note-history.ts';
import { amongIds, inMonthOf } from './ledger-month.ts';

/** A recipient whose message a lane is about to hand over. */
export interface Claimed {
  readonly id: number;
  /** Null when the person was deleted meanwhile. */
  readonly person_id: PersonId | null;
  /** The number of tries, this one included. */
  readonly attempts: number;
  /** When it was added to a mailing, and the run whose message it is; null for a recipient of a broadcast. */
  readonly added_at: Date | null;
  readonly run_id: string | null;
}

/** Where a lane is in the queue: nothing that it has in hand or may claim is before. */
export interface QueuePlace {
  /** As text, to the microsecond. */
  readonly from_due: string;
  readonly from_id: number;
}

export interface Window {
  readonly broadcast: string;
  readonly lane: number;
  readonly claim: string;
  readonly size: number;
  /** A moment of the month in which all of its rows are; a mailing's are in any. */
  readonly month?: Date | undefined;
}

/** The lane number of queued rows that no lane has in hand. */
export const nobody = -1;

/** How many windows of the queue a claim looks at: the other lane may be claiming the first of them. */
const looksAhead = 3;

const fromPlace = ({ org }: Work, broadcast: string, lane: number) => sql`(q.due_at, q.id) >= (
  select from_due, from_id from delivery_lanes
  where org_id = ${org} and broadcast_id = ${broadcast} and lane = ${lane})`;

/**
 * Claims the next recipients that are due. After the commit no other lane can claim them: this one hands them over and
 * settles them, or dies and leaves them uncertain. The queue only finds candidates; the row that is locked and checked
 * is the ledger's, as everywhere else. Whoever was due first comes first, and so gets what is left of an allowance. A
 * join of the two read the whole month for each candidate while the statistics did not know the broadcast.
 */
export async function claimWindow(
  work: Work,
  { broadcast, lane, claim, size, month }: Window,
): Promise<Claimed[]> {
  const { db, org, now } = work;
  const inMonth = month === undefined ? sql`` : sql`and ${inMonthOf('d.id', month)}`;
  const { rows } = await sql<Claimed>`
    with queued as materialized (
      select q.id from delivery_queue q
      where q.org_id = ${org} and q.broadcast_id = ${broadcast} and q.lane = ${nobody} and q.due_at <= ${now}
        and ${fromPlace(work, broadcast, lane)}
      order by q.due_at, q.id limit ${size * looksAhead}),
    due as (
      select d.id from deliveries d
      where d.org_id = ${org} and d.state = 'pending' and ${amongIds('d.id', 'queued')} ${inMonth}
      order by d.due_at, d.id limit ${size} for update skip locked),
    claimed as (
      update deliveries d set state = 'sending', lane = ${lane}, claim = ${claim}, attempts = d.attempts + 1
      where d.org_id = ${org} and ${amongIds('d.id', 'due')} ${inMonth}
      returning d.id, d.person_id, d.attempts, d.added_at, d.run_id, d.due_at)
    select id, person_id, attempts, added_at, run_id from claimed order by due_at, id`.execute(db);
  return rows;
}

/** What a lane has in hand, with its claims. */
export async function inHandOf(
  work: Work,
  broadcast: string,
  lane: number,
): Promise<(Claimed & { readonly claim: string })[]> {
  const { db, org } = work;
  const { rows } = await sql<Claimed & { claim: string }>`
    select d.id, d.person_id, d.attempts, d.added_at, d.run_id, d.claim
    from delivery_queue q join deliveries d on d.org_id = q.org_id and d.id = q.id
    where q.org_id = ${org} and q.broadcast_id = ${broadcast} and q.lane = ${lane}
      and ${fromPlace(work, broadcast, lane)} and d.org_id = ${org} and d.state = 'sending' and d.lane = ${lane}
    order by d.id`.execute(db);
  return rows;
}

/**
 * Gives up what a lane had in hand when it died. It may have been handed over or not, so it is not tried again; only a
 * text that has a receipt by now was sent. Returns what became of each.
 */
export async function giveUpInHand(
  work: Work,
  broadcast: string,
  lane: number,
): Promise<('sent' | 'uncertain')[]> {
  const { db, org } = work;
  const receipt = sql`case (select channel from broadcasts where org_id = ${org} and id = ${broadcast})
    when 'sms' then coalesce(delivered_at, bounced_at) end`;
  const { rows } = await sql<{ state: 'sent' | 'uncertain' }>`
    with held as (
      select d.id from delivery_queue q join deliveries d on d.org_id = q.org_id and d.id = q.id
      where q.org_id = ${org} and q.broadcast_id = ${broadcast} and q.lane = ${lane}
        and ${fromPlace(work, broadcast, lane)} and d.org_id = ${org} and d.state = 'sending' and d.lane = ${lane}
      order by d.id for update of d)
    update deliveries d set
      state = case when ${receipt} is null then 'uncertain' else 'sent' end,
      reason = case when ${receipt} is null then 'interrupted' end,
      sent_at = ${receipt}
    where d.org_id = ${org} and ${amongIds('d.id', 'held')}
    returning d.state`.execute(db);
  return rows.map(({ state }) => state);
}

/** The first that a lane has in hand: where it looks from next. */
export async function firstInHand(
  work: Work,
  broadcast: string,
  lane: number,
): Promise<QueuePlace | undefined> {
  const { rows } = await sql<QueuePlace>`
    select q.due_at::text as from_due, q.id as from_id from delivery_queue q
    where q.org_id = ${work.org} and q.broadcast_id = ${broadcast} and q.lane = ${lane}
      and ${fromPlace(work, broadcast, lane)}
    order by q.due_at, q.id limit 1`.execute(work.db);
  return rows[0];
}

/** When the next recipient is due that a lane may claim. */
export async function nextDueOf(work: Work, broadcast: string, lane: number): Promise<Date | undefined> {
  const { rows } = await sql<{ due_at: Date }>`
    select q.due_at from delivery_queue q
    where q.org_id = ${work.org} and q.broadcast_id = ${broadcast} and q.lane = ${nobody}
      and ${fromPlace(work, broadcast, lane)}
    order by q.due_at, q.id limit 1`.execute(work.db);
  return rows[0]?.due_at;
}

/** Whether anything at all is being handed over, by one lane or any: looks through the whole queue of the broadcast. */
export async function isQueuedInHand({ db, org }: Work, broadcast: string, lane?: number): Promise<boolean> {
  const found = await db
    .selectFrom('delivery_queue')
    .select('id')
    .where('org_id', '=', org)
    .where('broadcast_id', '=', broadcast)
    .where('lane', '<>', nobody)
    .$if(lane !== undefined, (query) => query.where('lane', '=', lane!))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Whether a lane is handing messages over: a condition on rows of delivery_lanes. As a join it would read the queue. */
export const hasInHand = sql<SqlBool>`(
  select q.id from delivery_queue q where q.org_id = delivery_lanes.org_id
    and q.broadcast_id = delivery_lanes.broadcast_id and q.lane = delivery_lanes.lane
    and (q.due_at, q.id) >= (delivery_lanes.from_due, delivery_lanes.from_id) limit 1) is not null`;

/** Skips some of the recipients that wait in a stopped broadcast or a called-off mailing. Returns how many. */
export async function skipStopped({ db, org, now }: Work, broadcast: string, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with waiting as (
      select d.id from delivery_queue q join deliveries d on d.org_id = q.org_id and d.id = q.id
      where q.org_id = ${org} and q.broadcast_id = ${broadcast} and q.lane = ${nobody}
        and d.org_id = ${org} and d.state = 'pending'
      order by q.due_at, q.id limit ${most} for update of d skip locked)
    update deliveries d set
      state = coalesce(d.former_state, 'skipped'),
      reason = case when d.former_state is null then 'stopped' else d.former_reason end,
      history = case when d.former_state is null or d.person_id is null then d.history
        else d.history || ${notResent(now, sql`'stopped'::text`)} end
    where d.org_id = ${org} and ${amongIds('d.id', 'waiting')}`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
