import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import type { PersonId } from '../../../kernel/ids.ts';
import { amongClaimed } from './ledger-month.ts';
import { notResent } from './note-history.ts';

/** The result for a claimed recipient. */
export interface Settled {
  readonly id: number;
  readonly state: 'pending' | 'sent' | 'skipped' | 'failed' | 'uncertain';
  readonly reason?: string;
  /** When a recipient that becomes pending again may be tried. */
  readonly due_at?: Date;
  /** The attempt does not count: nothing was tried. */
  readonly untried?: boolean;
  readonly address?: string;
  readonly reply?: string;
  readonly receipt?: string;
  readonly sent_at?: Date;
  readonly note?: {
    readonly at: Date;
    readonly what: string;
    readonly code?: string;
    readonly reply?: string;
  };
}

export interface SettledRow {
  readonly id: number;
  readonly person_id: PersonId | null;
  readonly state: Settled['state'];
}

const longestReply = 500;

/** Replies come from other servers: one character that PostgreSQL refuses would keep the whole window unrecorded. */
const toText = (settled: readonly Settled[]): string =>
  JSON.stringify(settled, (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', ' ').toWellFormed() : value,
  );

/** A twin that was being handed over during a merge and is deferred must not go out later: the person has the other. */
const isWaitingTwin = sql`d.twin is not null and s.state = 'pending'`;

/**
 * A recipient that was sent to again and did not get it this time either ends as before: who was uncertain may have the
 * first message.
 */
const endsAsBefore = sql`d.former_state is not null and (s.state = 'skipped' or ${isWaitingTwin}
  or (s.state = 'failed' and d.former_state = 'uncertain'))`;

/**
 * Records the results of a window. A row that was marked uncertain meanwhile, because its lane was taken for dead, is
 * corrected by the lane that knows the result. Such a row never becomes pending again, because the broadcast may have
 * ended by then. Returns the rows it updated.
 */
export async function settleWindow(
  { db, org, now }: Work,
  claim: string,
  settled: readonly Settled[],
): Promise<SettledRow[]> {
  if (settled.length === 0) return [];
  const ids = settled.map(({ id }) => id); // repeated below, so that only their month is scanned
  const { rows } = await sql<SettledRow>`
    with held as (
      select id from deliveries where org_id = ${org} and ${amongClaimed('id', ids)} and claim = ${claim}
      order by id for update)
    update deliveries d set
      state = case when ${endsAsBefore} then d.former_state when ${isWaitingTwin} then 'skipped' else s.state end,
      reason = case when ${endsAsBefore} then d.former_reason when ${isWaitingTwin} then 'duplicate_address'
        else s.reason end, due_at = coalesce(s.due_at, d.due_at), lane = null, claim = null,
      attempts = d.attempts - coalesce(s.untried, false)::int,
      address = case when d.person_id is not null then coalesce(s.address, d.address) end,
      reply = case when d.person_id is not null then left(s.reply, ${longestReply}) end,
      receipt = s.receipt, sent_at = s.sent_at,
      history = case when d.person_id is null then d.history
        when ${endsAsBefore} then d.history || ${notResent(now, sql`s.reason`)}
        when s.note is null then d.history else d.history || s.note end
    from json_to_recordset(${toText(settled)}::json) as s(id bigint, state text, reason text,
      due_at timestamptz, untried boolean, address text, reply text, receipt text, sent_at timestamptz, note jsonb)
      join held using (id)
    where d.org_id = ${org} and d.id = s.id and d.claim = ${claim} and ${amongClaimed('d.id', ids)}
      and (d.state = 'sending' or (d.state = 'uncertain' and s.state <> 'pending'))
    returning d.id, d.person_id, d.state`.execute(db);
  return rows;
}
