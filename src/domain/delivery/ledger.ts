import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import type { PersonId } from '../../kernel/ids.ts';

/** A recipient that somebody is about to hand a message over to. */
export interface Claimed {
  readonly id: number;
  /** Nobody, when the person was deleted meanwhile. */
  readonly person_id: PersonId | null;
  /** How often it was tried, this time included. */
  readonly attempts: number;
  /** When it came into a mailing; what belongs to a broadcast came with that. */
  readonly added_at: Date | null;
}

export interface Window {
  readonly broadcast: string;
  readonly lane: number;
  readonly claim: string;
  readonly size: number;
}

/**
 * Takes the next recipients whose time has come. Once this is committed nobody else will: whoever takes them hands over
 * and settles, or is found to have died and leaves them uncertain.
 */
export async function claimWindow(
  { db, org, now }: Work,
  { broadcast, lane, claim, size }: Window,
): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    with due as (
      select id from deliveries
      where org_id = ${org} and broadcast_id = ${broadcast} and state = 'pending' and due_at <= ${now}
      order by due_at, id limit ${size} for update skip locked)
    update deliveries d set state = 'sending', lane = ${lane}, claim = ${claim}, attempts = d.attempts + 1
    from due where d.org_id = ${org} and d.id = due.id
    returning d.id, d.person_id, d.attempts, d.added_at`.execute(db);
  return rows;
}

/**
 * Whatever a lane had in hand when it died may have been handed over or not: nobody can know, and it is not tried again.
 * Only a text that has a receipt by now was sent. Answers whose those are.
 */
export async function giveUpInHand({ db, org }: Work, broadcast: string, lane: number): Promise<PersonId[]> {
  const receipt = sql`case (select channel from broadcasts where org_id = ${org} and id = ${broadcast})
    when 'sms' then coalesce(delivered_at, bounced_at) end`;
  const { rows } = await sql<{ person_id: PersonId | null; state: string }>`
    update deliveries set
      state = case when ${receipt} is null then 'uncertain' else 'sent' end,
      reason = case when ${receipt} is null then 'interrupted' end,
      sent_at = ${receipt}
    where org_id = ${org} and broadcast_id = ${broadcast} and state = 'sending' and lane = ${lane}
    returning person_id, state`.execute(db);
  return rows.flatMap(({ person_id, state }) => (state === 'sent' ? (person_id ?? []) : []));
}

/** When the next recipient is due; `inHand` tells whether a lane, or any, is handing over at this moment. */
export async function whatIsLeft(
  { db, org }: Work,
  broadcast: string,
  lane?: number,
): Promise<{ nextDue: Date | null; inHand: boolean }> {
  const { rows } = await sql<{ next_due: Date | null; in_hand: boolean }>`
    select
      (select due_at from deliveries where org_id = ${org} and broadcast_id = ${broadcast} and state = 'pending'
        order by due_at, id limit 1) as next_due,
      exists (select 1 from deliveries where org_id = ${org} and broadcast_id = ${broadcast} and state = 'sending'
        and lane = coalesce(${lane ?? null}, lane)) as in_hand`.execute(db);
  return { nextDue: rows[0]!.next_due, inHand: rows[0]!.in_hand };
}

/** Of a broadcast that was stopped, or a mailing that was called off: some of those who were still to get it. Answers how many. */
export async function skipStopped({ db, org }: Work, broadcast: string, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with waiting as (
      select id from deliveries where org_id = ${org} and broadcast_id = ${broadcast} and state = 'pending'
      order by due_at, id limit ${most} for update skip locked)
    update deliveries d set state = 'skipped', reason = 'stopped'
    from waiting w where d.org_id = ${org} and d.id = w.id`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
