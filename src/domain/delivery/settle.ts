import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import type { PersonId } from '../../kernel/ids.ts';

/** What became of a recipient that was claimed. */
export interface Settled {
  readonly id: number;
  readonly state: 'pending' | 'sent' | 'skipped' | 'failed' | 'uncertain';
  readonly reason?: string;
  /** Of one that goes back: when it may be tried again. */
  readonly due_at?: Date;
  /** It was not tried after all. */
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

/** Other people's words: a single one that PostgreSQL refuses would keep all of a window from being written down. */
const toText = (settled: readonly Settled[]): string =>
  JSON.stringify(settled, (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', ' ').toWellFormed() : value,
  );

/**
 * Writes down what became of a window. Rows that were given up meanwhile, because the lane was taken for dead, are
 * corrected by whoever knows better; but what was given up never becomes pending again, because a broadcast may have
 * ended on it. Answers the rows that took it in.
 */
export async function settleWindow(
  { db, org }: Work,
  claim: string,
  settled: readonly Settled[],
): Promise<SettledRow[]> {
  if (settled.length === 0) return [];
  const { rows } = await sql<SettledRow>`
    update deliveries d set
      state = s.state, reason = s.reason, due_at = coalesce(s.due_at, d.due_at), lane = null, claim = null,
      attempts = d.attempts - coalesce(s.untried, false)::int,
      address = case when d.person_id is not null then coalesce(s.address, d.address) end,
      reply = case when d.person_id is not null then left(s.reply, ${longestReply}) end,
      receipt = s.receipt, sent_at = s.sent_at,
      history = case when s.note is null or d.person_id is null then d.history else d.history || s.note end
    from json_to_recordset(${toText(settled)}::json) as s(id bigint, state text, reason text,
      due_at timestamptz, untried boolean, address text, reply text, receipt text, sent_at timestamptz, note jsonb)
    where d.org_id = ${org} and d.id = s.id and d.claim = ${claim}
      and (d.state = 'sending' or (d.state = 'uncertain' and s.state <> 'pending'))
    returning d.id, d.person_id, d.state`.execute(db);
  return rows;
}
