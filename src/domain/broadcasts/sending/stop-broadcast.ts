import { z } from 'zod';
import { defineOperation, type Work } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { BroadcastId } from '../../../kernel/ids.ts';
import { hasInHand } from '../../delivery/ledger/ledger.ts';
import { Broadcast, toBroadcast } from '../draft/broadcast.ts';
import { readBroadcast, requireBroadcast, type StoredBroadcast } from '../draft/broadcast-rows.ts';
import { tellLane } from './start-run.ts';

export const stopBroadcast = defineOperation({
  name: 'stop_broadcast',
  title: 'Stop a broadcast',
  summary:
    'Stop a broadcast that is being sent: whoever has not got it yet will not. It cannot go on or be undone, and what ' +
    'was handed over is not called back; messages in hand at this moment may still go. One that was stopped already ' +
    'answers the same. To take a scheduled one back use unschedule_broadcast.',
  permission: 'broadcasts.schedule',
  effect: 'destroy',
  repeatable: true,
  faces: { rest: ['POST /v1/broadcasts/:broadcast_id/stop'], tool: true },
  input: z.strictObject({ broadcast_id: BroadcastId }),
  output: z.object({ broadcast: Broadcast, message: z.string() }),
  handle: async (work, { broadcast_id }) => {
    await holdLanes(work, broadcast_id);
    const row = await requireBroadcast(work, broadcast_id, 'lock');
    if (row.status !== 'stopped') {
      refuseUnlessSending(row);
      await stop(work, row);
    }
    return { broadcast: toBroadcast(await readBroadcast(work, broadcast_id)), message: messageFor(row) };
  },
});

/** Locks the lanes before their broadcast, as every step does. */
async function holdLanes({ db, org }: Work, broadcast: BroadcastId): Promise<void> {
  await db
    .selectFrom('delivery_lanes')
    .select('lane')
    .where('org_id', '=', org)
    .where('broadcast_id', '=', broadcast)
    .orderBy('lane')
    .forUpdate()
    .execute();
}

/** No recipient is claimed from here on; the lanes are woken to skip the remaining recipients, some at a time. */
async function stop(work: Work, { id, revision }: StoredBroadcast): Promise<void> {
  await work.db
    .updateTable('broadcasts')
    .set({ status: 'stopped', revision: revision + 1, updated_at: work.now })
    .where('org_id', '=', work.org)
    .where('id', '=', id)
    .execute();
  const woken = await work.db
    .updateTable('delivery_lanes')
    .set({ next_at: work.now })
    .where('org_id', '=', work.org)
    .where('broadcast_id', '=', id)
    .where((eb) => eb.not(hasInHand)) // a working lane notices the stop itself
    .returning('lane')
    .execute();
  for (const { lane } of woken) await tellLane(work, id, lane);
  work.touched['broadcast_id'] = id;
}

const nextStep: Readonly<Record<string, string>> = {
  draft: 'It is a draft; nothing is going out.',
  scheduled: 'It is scheduled and has not begun. Unschedule it: it is a draft then.',
  sent: 'It is sent; nothing of it is left to stop.',
  error: 'It failed and is not going out.',
};

function refuseUnlessSending({ status }: StoredBroadcast): void {
  if (status !== 'sending')
    throw new Failure('not_sending', nextStep[status] ?? `The broadcast is ${status}.`);
}

function messageFor({ status, sent, uncertain, pending, prepared_at }: StoredBroadcast): string {
  const words = status === 'stopped' ? 'It was stopped already.' : 'Stopped.';
  const got = uncertain === 0 ? `${sent} have it` : `${sent} have it, ${uncertain} may have it`;
  const rest =
    pending === 0
      ? 'nobody is left waiting'
      : `${pending} were still to get it and will not, but for messages in hand at this moment`;
  const unprepared = prepared_at === null ? ' Whoever was not lined up yet will not get it either.' : '';
  return `${words} ${got}; ${rest}.${unprepared}`;
}
