import type { Work } from '../../database/work.ts';
import { giveUpInHand, skipStopped, whatIsLeft } from '../delivery/ledger.ts';
import { recordTextSent } from '../delivery/note-receipt.ts';
import { writeAudit } from '../orgs/audit.ts';
import { holdSent, type StoredBroadcast } from './broadcast-rows.ts';
import { inRun } from './in-run.ts';
import { closeLanes, holdLane, leaseEnd, setLane, takeLane, type LaneRef } from './lane.ts';
import { endMailing, enterMailing, isMailing, isOfCanceledWebinar } from './mailing-step.ts';
import { prepareNext } from './prepare-audience.ts';
import { readRun, type Run, type RunParts } from './run.ts';
import { sendWindow } from './send-window.ts';
import { openLane } from './start-run.ts';

/** How the lane goes on: with the next ticket, after so many milliseconds. Nothing: it is over. */
export type Next = { readonly ticket: number; readonly waitMs: number } | undefined;

const lanes = 2; // one hands over while the other reads and writes the ledger
const stepMs = 8_000; // then the engine hears of it, and may stop it or move it elsewhere
const stopChunk = 5_000;
// A paced send wakes at most once a second; what has become due in that second goes together.
const restMs = { paced: 1_000, atOnce: 100 };
const unreachableMs = 10_000;
const blockedMs = 600_000;
const longestWaitMs = 3_600_000;

/** Takes up a lane nobody has been heard of. */
export const takeUp = (parts: RunParts, ref: LaneRef): Promise<number | undefined> =>
  inRun(parts, ref, (work) => takeLane(work, ref));

/** One step of a lane: some seconds of preparing, sending or clearing up, all of it decided by the rows. */
export async function laneStep(parts: RunParts, ref: LaneRef, ticket: number): Promise<Next> {
  const entered = await inRun(parts, ref, (work) => enter(work, parts, ref, ticket));
  if (entered === undefined || entered === 'lost') return undefined;
  if (entered === 'passed_on') return { ticket: ticket + 1, waitMs: 0 };
  const until = parts.clock.now().getTime() + stepMs;
  let reached = true;
  if (entered !== 'over' && entered !== 'blocked') {
    let more = true;
    while (more && parts.clock.now().getTime() < until && !parts.stopping.aborted) {
      ({ more, reached } = await sendWindow(parts, ref, ticket, entered));
    }
  }
  const pauseMs = entered === 'blocked' ? blockedMs : reached ? undefined : unreachableMs;
  return inRun(parts, ref, (work) => leave(work, ref, ticket, pauseMs));
}

/** Holds the lane, gives up what an interrupted step left in hand, and prepares what is not prepared yet. */
async function enter(
  work: Work,
  { providers }: RunParts,
  ref: LaneRef,
  ticket: number,
): Promise<Run | 'over' | 'blocked' | 'lost' | 'passed_on'> {
  const holding = await holdLane(work, ref, ticket);
  if (holding !== 'mine') return holding;
  await setLane(work, ref, { next_at: leaseEnd(work), resting: false });
  const sent = await giveUpInHand(work, ref.lane.broadcast, ref.lane.number);
  const row = await holdSent(work, ref.lane.broadcast);
  for (const person of sent) await recordTextSent(work, person, row.id);
  if (row.status !== 'sending') return 'over';
  if (isMailing(row)) return enterMailing(work, row, providers);
  const read = await readRun(work, row, providers);
  if ('problem' in read) {
    await setStatus(work, ref, { status: 'error', error: `It was interrupted. ${read.problem}` });
    return 'over';
  }
  if (row.prepared_at !== null) return read.run;
  if (!(await prepareNext(work, read.run))) return 'over'; // the rest in the next step: each part is a transaction
  for (let lane = 1; lane < lanes; lane++) await openLane(work, ref.lane.broadcast, lane);
  return read.run;
}

/**
 * Passes the ticket on, to when something is due; ends the broadcast when everybody is accounted for. `pauseMs`: nothing
 * can be sent before, whoever is due or added.
 */
async function leave(work: Work, ref: LaneRef, ticket: number, pauseMs: number | undefined): Promise<Next> {
  const holding = await holdLane(work, ref, ticket);
  // The same step was done twice at once, because the engine lost sight of the first: that one passed the ticket on,
  // but nobody listens to it any more.
  if (holding === 'passed_on') return { ticket: ticket + 1, waitMs: 0 };
  if (holding !== 'mine') return undefined;
  const row = await holdSent(work, ref.lane.broadcast);
  const isOff = isMailing(row) ? await isOfCanceledWebinar(work, row) : row.status !== 'sending';
  const stopped = isOff ? await skipStopped(work, row.id, stopChunk) : 0;
  const isLast = ref.lane.number === 0;
  // The last one to go waits for all of them. Another has nothing in hand by now, unless the same step was done twice
  // at once: that one may have died, and only this lane's next step gives up what it held.
  const { nextDue, inHand } = await whatIsLeft(work, row.id, isLast ? undefined : ref.lane.number);
  const unprepared = row.status === 'sending' && row.prepared_at === null;
  if (nextDue === null && !unprepared && !inHand) {
    if (isMailing(row)) await endMailing(work, ref);
    else if (isLast) await endBroadcast(work, ref, row);
    else await closeLanes(work, ref, 'this');
    return undefined;
  }
  const rest = row.paced_over_hours === 0 ? restMs.atOnce : restMs.paced;
  const dueMs = nextDue === null ? rest : nextDue.getTime() - work.now.getTime();
  const isDue = unprepared || stopped > 0 || dueMs <= 0;
  const waitMs = pauseMs ?? (isDue ? 0 : Math.min(Math.max(dueMs, rest), longestWaitMs));
  const next_at = new Date(work.now.getTime() + waitMs);
  await setLane(work, ref, { ticket: ticket + 1, next_at, resting: pauseMs === undefined && waitMs > 0 });
  return { ticket: ticket + 1, waitMs };
}

async function endBroadcast(work: Work, ref: LaneRef, { status, error }: StoredBroadcast): Promise<void> {
  await setStatus(work, ref, {
    status: status === 'sending' ? 'sent' : status,
    error,
    finished_at: work.now,
  });
  await closeLanes(work, ref, 'all');
}

async function setStatus(
  work: Work,
  ref: LaneRef,
  changed: { readonly status: string; readonly error: string | null; readonly finished_at?: Date },
): Promise<void> {
  await work.db
    .updateTable('broadcasts')
    .set((eb) => ({ ...changed, updated_at: work.now, revision: eb('revision', '+', 1) }))
    .where('org_id', '=', work.org)
    .where('id', '=', ref.lane.broadcast)
    .execute();
  work.touched['broadcast_id'] = ref.lane.broadcast;
  await writeAudit(work, changed.finished_at === undefined ? 'fail_sending' : 'end_sending');
}
