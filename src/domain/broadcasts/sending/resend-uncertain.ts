import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import { defineOperation, type Work } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { BroadcastId } from '../../../kernel/ids.ts';
import { amongIds } from '../../delivery/ledger/ledger-month.ts';
import { Broadcast, toBroadcast } from '../draft/broadcast.ts';
import { readBroadcast, requireBroadcast, type StoredBroadcast } from '../draft/broadcast-rows.ts';
import { blockingContent } from '../plan/plan-checks.ts';
import { readPlanInputs } from '../plan/plan-inputs.ts';
import { refuseBlocked, refuseSameKey } from '../plan/refuse-to-send.ts';
import { few } from './for-few.ts';
import { hasArrived, inTheirTurn, isResendable, mostAtOnce, refuseUnlessFinished } from './resendable.ts';
import { openResendToken } from './resend-token.ts';
import { openLane } from './start-run.ts';

export const resendUncertain = defineOperation({
  name: 'resend_uncertain',
  title: 'Send again to the uncertain',
  summary:
    'Send a finished broadcast again to those that the plan counted and who are still uncertain, or failed if it was ' +
    'planned so. Takes the resend_token of plan_resend_uncertain, which works once. Whoever opted out meanwhile is left ' +
    'out. Call it only after the person saw the plan and said yes: some may get it twice.',
  permission: 'broadcasts.schedule',
  effect: 'change',
  faces: { rest: ['POST /v1/broadcasts/:broadcast_id/resend'] },
  input: z.strictObject({
    broadcast_id: BroadcastId,
    resend_token: z.string().min(1).max(1_024).describe('From plan_resend_uncertain.'),
  }),
  output: z.object({
    broadcast: Broadcast,
    recipients: z.int().describe('How many are sent to again, but for those left out just before.'),
  }),
  handle: async (work, { broadcast_id, resend_token }) => {
    const seen = await requireBroadcast(work, broadcast_id);
    const includeFailed = open(work, seen, resend_token);
    const inputs = await readPlanInputs(work, seen, work.now);
    refuseSameKey(work, inputs, seen.planned_by as unknown as { kind: string; id: string }, 'resend');
    refuseBlocked(blockingContent(inputs));
    // The ledger before its broadcast, as every lane does.
    const recipients = await putInLine(work, seen, includeFailed);
    const row = await requireBroadcast(work, broadcast_id, 'lock');
    open(work, row, resend_token); // of two with one token, the second waited for the first
    if (recipients === 0) throw new Failure('nobody_to_resend', 'Nobody is left to send it to again.');
    await work.db
      .updateTable('broadcasts')
      .set({
        status: 'sending',
        ends_as: row.status,
        finished_at: null,
        revision: row.revision + 1,
        updated_at: work.now,
      })
      .where('org_id', '=', work.org)
      .where('id', '=', broadcast_id)
      .execute();
    // Far from every ticket of the lanes that were closed: a late repetition of their steps is not taken for one of these.
    for (let lane = 0; lane < (recipients > few ? 2 : 1); lane++)
      await openLane(work, broadcast_id, lane, randomInt(2 ** 40, 2 ** 47));
    work.touched['broadcast_id'] = broadcast_id;
    work.reason = `${recipients} recipients are sent to again.`;
    return { broadcast: toBroadcast(await readBroadcast(work, broadcast_id)), recipients };
  },
});

function open(work: Work, row: StoredBroadcast, token: string): boolean {
  const includeFailed = openResendToken(work, row, token);
  refuseUnlessFinished(row);
  return includeFailed;
}

/**
 * Makes recipients pending again, with their number in the ledger and so the same Message-ID, and remembers how they had
 * ended. Few go at once; many are spread over the hours that the broadcast had. Returns how many.
 */
async function putInLine(work: Work, row: StoredBroadcast, includeFailed: boolean): Promise<number> {
  const { db, org, now } = work;
  const seconds = (row.paced_over_hours ?? 0) * 3_600;
  const { numAffectedRows } = await sql`
    with found as materialized (
      select d.id from deliveries d
      where d.org_id = ${org} and d.broadcast_id = ${row.id} and ${isResendable(includeFailed)}
        and d.person_id is not null and not ${hasArrived}
      order by ${inTheirTurn} limit ${mostAtOnce}),
    again as (
      select d.id from deliveries d
      where d.org_id = ${org} and ${amongIds('d.id', 'found')} and ${isResendable(includeFailed)}
      order by d.id for update)
    update deliveries d set
      state = 'pending', former_state = d.state, former_reason = d.reason, reason = null, reply = null,
      attempts = 0, lane = null, claim = null, bounced_at = null, bounce_class = null, added_at = ${now},
      due_at = ${now}::timestamptz + make_interval(secs => case when (select count(*) from found) <= ${few} then 0
        else ${seconds} * (uuid_hash_extended(d.person_id, 0) & 4294967295) / 4294967296.0 end),
      history = d.history || jsonb_build_object('at', ${now.toISOString()}::text, 'what', 'resent',
        'code', d.reason, 'was', d.state)
    where d.org_id = ${org} and ${amongIds('d.id', 'again')}`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
