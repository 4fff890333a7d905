import { sql, type RawBuilder } from 'kysely';
import type { Work } from '../../../database/work.ts';
import { nobody } from '../../delivery/ledger/ledger.ts';
import { outcomeOf } from './outcome.ts';
import { readFollowers } from './read-followers.ts';
import { happened, type Asked } from './recipient-filters.ts';
import { recipientColumns, type ReadRecipient } from './recipient-columns.ts';
import type { Place } from './recipient-cursor.ts';

// During sending, recipients only move down this list, except deferred ones: a reader who starts at the top meets a
// person twice rather than never.
const states = ['pending', 'sending', 'uncertain', 'sent', 'failed', 'skipped'] as const;

/** Reads state by state, each as an index scan: a page costs the same regardless of its start and its filters. */
export async function readRecipients(
  work: Work,
  asked: Asked,
  after: Place | undefined,
  limit: number,
): Promise<ReadRecipient[]> {
  if (asked.link !== undefined) return readFollowers(work, asked.broadcast_id, asked.link, after, limit);
  const wanted = states.filter(
    (state) =>
      (asked.outcome === undefined || outcomeOf(state) === asked.outcome) &&
      (asked.reason === undefined || isEnd(state)), // other states have no reason
  );
  const rows: ReadRecipient[] = [];
  for (const state of wanted.slice(
    Math.max(
      0,
      wanted.findIndex((one) => one === after?.state),
    ),
  )) {
    const from = state === after?.state ? after : undefined;
    rows.push(...(await readRun(work, asked, { state, from, limit: limit - rows.length })));
    if (rows.length === limit) break;
  }
  return rows;
}

interface Run {
  readonly state: string;
  readonly from: Place | undefined;
  readonly limit: number;
}

async function readRun(work: Work, asked: Asked, { state, from, limit }: Run): Promise<ReadRecipient[]> {
  const { rows } = await sql<ReadRecipient>`
    select ${recipientColumns}
    from ${placed(work, asked, state)}
      ${asked.reason === undefined ? sql`` : sql`and d.reason = ${asked.reason}`}
      ${isThere(asked)}
      ${from === undefined ? sql`` : sql`and (at.due_at, at.id) > (${from.due}::timestamptz, ${from.id})`}
    order by ${hasAnswered(asked) ? asIndexed : sql``} at.due_at, at.id limit ${limit}`.execute(work.db);
  return rows;
}

/**
 * The recipients in a state, as `d`, with their place as `at`. The ledger has no index of states, which change with
 * every step (ADR 54): waiting recipients are found in the queue, those in another end state than sent by the column
 * `ended`, and sent ones among the rows without `ended`, if the total is above zero.
 */
function placed({ org }: Work, asked: Asked, state: string): RawBuilder<unknown> {
  const { broadcast_id } = asked;
  const ledger = sql`deliveries d, lateral (select d.due_at, d.id) at
    where d.org_id = ${org} and d.broadcast_id = ${broadcast_id} and d.state = ${state}`;
  if (isEnd(state)) return sql`${ledger} and d.ended = ${state}`;
  if (state === 'sent' || hasAnswered(asked)) {
    return sql`${ledger} and d.ended is null and (
      select case ${state} when 'sent' then b.sent else b.pending end > 0
      from broadcasts b where b.org_id = ${org} and b.id = ${broadcast_id})`;
  }
  return sql`delivery_queue at join deliveries d on d.org_id = at.org_id and d.id = at.id
    where at.org_id = ${org} and at.broadcast_id = ${broadcast_id} and d.org_id = ${org} and d.state = ${state}
      and ${state === 'pending' ? sql`at.lane = ${nobody}` : sql`at.lane <> ${nobody}`}`;
}

const isEnd = (state: string): boolean => state === 'uncertain' || state === 'failed' || state === 'skipped';

const answers = Object.keys(happened) as (keyof typeof happened)[];

const hasAnswered = (asked: Asked): boolean => answers.some((name) => asked[name] === true);

/**
 * The same for all rows of a run. An index that begins with it is read in order only if the order names it: that a column
 * is null tells the planner nothing about order, and it would read and sort everybody who opened.
 */
const asIndexed = sql`d.ended,`;

const isThere = (asked: Asked): RawBuilder<unknown> =>
  sql.join(
    answers
      .filter((name) => asked[name] !== undefined)
      .map(
        (name) =>
          sql`and ${sql.ref(`d.${happened[name]}`)} ${sql.raw(asked[name] ? 'is not null' : 'is null')}`,
      ),
    sql` `,
  );
