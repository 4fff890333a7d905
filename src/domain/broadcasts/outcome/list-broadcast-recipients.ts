import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { defineOperation, type Work } from '../../../database/work.ts';
import { BroadcastId } from '../../../kernel/ids.ts';
import { pageInput } from '../../../kernel/page.ts';
import { nobody } from '../../delivery/ledger/ledger.ts';
import { NamedPerson, readNamedPeople } from '../../people/record/named-people.ts';
import { requireBroadcast } from '../draft/broadcast-rows.ts';
import { outcomeOf, outcomes, reasons } from './outcome.ts';
import { moments, Recipient, toRecipient, type RecipientRow } from './recipient.ts';
import { fromCursor, toCursor, type Asked, type Place } from './recipient-cursor.ts';

// During sending, recipients only move down this list, except deferred ones: a reader who starts at the top meets a
// person twice rather than never.
const states = ['pending', 'sending', 'uncertain', 'sent', 'failed', 'skipped'] as const;

/** Adds the person, for callers who may read people. */
const ListedRecipient = Recipient.extend({ person: NamedPerson }).meta({ id: 'ListedRecipient' });

export const listBroadcastRecipients = defineOperation({
  name: 'list_broadcast_recipients',
  title: 'List who a broadcast went to',
  summary:
    'Every recipient of a broadcast with where they ended up, those still to come first; with names and addresses for a ' +
    'credential that has people.read. All filters sent must hold. next_cursor asks for the next page with the same ' +
    'filters; it is null on the last.',
  permission: 'broadcasts.read',
  effect: 'read',
  faces: { rest: ['GET /v1/broadcasts/:broadcast_id/recipients'] },
  input: z.strictObject({
    broadcast_id: BroadcastId,
    outcome: z.enum(outcomes).optional(),
    reason: z.enum(reasons).optional().describe('Why they were skipped, or it failed, or nobody knows.'),
    opened: z
      .boolean()
      .optional()
      .describe('Only those who opened it, or did not; machines are not counted.'),
    clicked: z.boolean().optional().describe('Only those who followed a link in it, or did not.'),
    cursor: z.string().min(1).max(1_000).optional().describe('next_cursor of the page before.'),
    limit: pageInput.limit,
  }),
  output: z.object({
    recipients: z.array(ListedRecipient),
    limit: z.int(),
    next_cursor: z.string().nullable(),
  }),
  handle: async (work, { cursor, limit, ...asked }) => {
    await requireBroadcast(work, asked.broadcast_id);
    const after = cursor === undefined ? undefined : fromCursor(work, asked, cursor);
    const rows = await readPage(work, asked, after, limit + 1);
    const last = rows.length > limit ? rows[limit - 1] : undefined;
    const page = rows.slice(0, limit);
    const people = await readNamedPeople(
      work,
      page.flatMap(({ person_id }) => person_id ?? []),
    );
    return {
      recipients: page.map((row) => ({
        ...toRecipient(row),
        person: people.get(row.person_id ?? '') ?? null,
      })),
      limit,
      next_cursor: last === undefined ? null : toCursor(work, asked, last),
    };
  },
});

type Row = Place & RecipientRow;

/** Reads state by state, each as an index scan: a page costs the same regardless of its start and its filters. */
async function readPage(work: Work, asked: Asked, after: Place | undefined, limit: number): Promise<Row[]> {
  const wanted = states.filter(
    (state) =>
      (asked.outcome === undefined || outcomeOf(state) === asked.outcome) &&
      (asked.reason === undefined || isEnd(state)), // other states have no reason
  );
  const rows: Row[] = [];
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

async function readRun(work: Work, asked: Asked, { state, from, limit }: Run): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select d.id, d.person_id, d.state, d.reason, d.due_at, d.due_at::text as due, ${columns}
    from ${placed(work, asked, state)}
      ${asked.reason === undefined ? sql`` : sql`and d.reason = ${asked.reason}`}
      ${isThere('d.opened_at', asked.opened)} ${isThere('d.clicked_at', asked.clicked)}
      ${from === undefined ? sql`` : sql`and (at.due_at, at.id) > (${from.due}::timestamptz, ${from.id})`}
    order by at.due_at, at.id limit ${limit}`.execute(work.db);
  return rows;
}

const columns = sql.raw(moments.map((moment) => `d.${moment}`).join(', '));

/**
 * The recipients in a state, as `d`, with their place as `at`. The ledger has no index of states, which change with
 * every step (ADR 54): waiting recipients are found in the queue, those in another end state than sent by the column
 * `ended`, and sent ones among the rows without `ended`, if the total is above zero.
 */
function placed({ org }: Work, asked: Asked, state: string): RawBuilder<unknown> {
  const { broadcast_id, opened, clicked } = asked;
  const ledger = sql`deliveries d, lateral (select d.due_at, d.id) at
    where d.org_id = ${org} and d.broadcast_id = ${broadcast_id} and d.state = ${state}`;
  if (isEnd(state)) return sql`${ledger} and d.ended = ${state}`;
  if (state === 'sent' || opened === true || clicked === true) {
    return sql`${ledger} and d.ended is null and (
      select case ${state} when 'sent' then b.sent else b.pending end > 0
      from broadcasts b where b.org_id = ${org} and b.id = ${broadcast_id})`;
  }
  return sql`delivery_queue at join deliveries d on d.org_id = at.org_id and d.id = at.id
    where at.org_id = ${org} and at.broadcast_id = ${broadcast_id} and d.org_id = ${org} and d.state = ${state}
      and ${state === 'pending' ? sql`at.lane = ${nobody}` : sql`at.lane <> ${nobody}`}`;
}

const isEnd = (state: string): boolean => state === 'uncertain' || state === 'failed' || state === 'skipped';

const isThere = (column: `d.${(typeof moments)[number]}`, wanted: boolean | undefined) =>
  wanted === undefined
    ? sql``
    : sql`and ${sql.ref(column)} ${wanted ? sql.raw('is not null') : sql.raw('is null')}`;
