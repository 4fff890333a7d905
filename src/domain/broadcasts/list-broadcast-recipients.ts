import { sql } from 'kysely';
import { z } from 'zod';
import { defineOperation, type Work } from '../../database/work.ts';
import { BroadcastId } from '../../kernel/ids.ts';
import { pageInput } from '../../kernel/page.ts';
import { requireBroadcast } from './broadcast-rows.ts';
import { outcomeOf, outcomes, reasons } from './outcome.ts';
import { moments, Recipient, toRecipient, type RecipientRow } from './recipient.ts';
import { fromCursor, toCursor, type Asked, type Place } from './recipient-cursor.ts';

// While a broadcast is sent, people only ever go down this list, but for those who are put off: whoever reads it from
// the top meets somebody twice rather than never.
const states = ['pending', 'sending', 'uncertain', 'sent', 'failed', 'skipped'] as const;

export const listBroadcastRecipients = defineOperation({
  name: 'list_broadcast_recipients',
  title: 'List who a broadcast went to',
  summary:
    'Every recipient of a broadcast with where they ended up, by id only, those still to come first. All filters sent ' +
    'must hold. next_cursor asks for the next page with the same filters; it is null on the last.',
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
    recipients: z.array(Recipient),
    limit: z.int(),
    next_cursor: z.string().nullable(),
  }),
  handle: async (work, { cursor, limit, ...asked }) => {
    await requireBroadcast(work, asked.broadcast_id);
    const after = cursor === undefined ? undefined : fromCursor(work, asked, cursor);
    const rows = await readPage(work, asked, after, limit + 1);
    const last = rows.length > limit ? rows[limit - 1] : undefined;
    return {
      recipients: rows.slice(0, limit).map(toRecipient),
      limit,
      next_cursor: last === undefined ? null : toCursor(work, asked, last),
    };
  },
});

type Row = Place & RecipientRow;

/** State by state, each a run through an index: a page costs the same wherever it begins and whatever is asked. */
async function readPage(work: Work, asked: Asked, after: Place | undefined, limit: number): Promise<Row[]> {
  const wanted = states.filter((state) => asked.outcome === undefined || outcomeOf(state) === asked.outcome);
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
    select id, person_id, state, reason, due_at, due_at::text as due, ${sql.raw(moments.join(', '))}
    from deliveries
    where org_id = ${work.org} and broadcast_id = ${asked.broadcast_id} and state = ${state}
      ${asked.reason === undefined ? sql`` : sql`and reason = ${asked.reason}`}
      ${isThere('opened_at', asked.opened)} ${isThere('clicked_at', asked.clicked)}
      ${from === undefined ? sql`` : sql`and (due_at, id) > (${from.due}::timestamptz, ${from.id})`}
    order by due_at, id limit ${limit}`.execute(work.db);
  return rows;
}

const isThere = (column: (typeof moments)[number], wanted: boolean | undefined) =>
  wanted === undefined
    ? sql``
    : sql`and ${sql.ref(column)} ${wanted ? sql.raw('is not null') : sql.raw('is null')}`;
