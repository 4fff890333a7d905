import type { Work } from '../../../database/work.ts';
import { giveUpInHand, isQueuedInHand, nextDueOf, skipStopped } from '../../delivery/ledger/ledger.ts';
import { giveBackAllowance, type Channel } from '../../orgs/allowance.ts';
import { writeAudit } from '../../orgs/audit.ts';
import { holdSent, type StoredBroadcast } from '../draft/broadcast-rows.ts';
import { isForFew } from './for-few.ts';
import { inRun } from './in-run.ts';
import {
  closeLanes,
  fromStart,
  holdLane,
  isInHand,
  leaseEnd,
  setLane,
  takeLane,
  type LaneRef,
} from './lane.ts';
import { putBackUntaken, readLeftovers, recordTaken, type Leftover } from './leftovers.ts';
import { endMailing, enterMailing, isMailing, isOfCanceledWebinar } from './mailing-step.ts';
import { prepareNext } from './prepare-audience.ts';
import { readRun, type OnOutcomes, type Run, type RunParts } from './run.ts';
import { sendWindow } from './send-window.ts';
import { openLane } from './start-run.ts';

/** How the lane continues: with the next ticket, after `waitMs`. */
export interface Next {
  readonly ticket: number;
  readonly waitMs: number;
  /** It waits because nobody is due, so that few will be. */
  readonly rests?: boolean;
}

const lanes = 2; // one hands over while the other reads and writes the ledger
const stepMs = 8_000; // then the engine regains control, and may stop the lane or move it elsewhere
const stopChunk = 5_000;
// A paced send wakes at most once a second; what has become due in that second goes together.
const restMs = { paced: 1_000, atOnce: 100 };
const unreachableMs = 10_000;
const blockedMs = 600_000;
const longestWaitMs = 3_600_000;

/** Takes over a lane that missed its time. */
export const claimLane = (
  parts: RunParts,
  ref: LaneRef,
): Promise<{ readonly ticket: number; readonly isFew: boolean } | undefined> =>
  inRun(
    parts,
    ref,
    async (work) => {
      const ticket = await takeLane(work, ref);
      return ticket === undefined ? undefined : { ticket, isFew: await isForFew(work, ref.lane.broadcast) };
    },
    'rests',
  );

/**
 * Keeps a lane that waits for a place from being taken for lost. Returns whether it is still the ticket's: a ticket that
 * was passed on may be followed.
 */
export async function putOff(parts: RunParts, ref: LaneRef, ticket: number): Promise<boolean> {
  const holding = await inRun(parts, ref, async (work) => {
    const found = await holdLane(work, ref, ticket);
    if (found === 'mine') await setLane(work, ref, { next_at: leaseEnd(work), resting: false });
    return found;
  });
  return holding === 'mine' || holding === 'passed_on';
}

/**
 * Runs one step of a lane: some seconds of preparing, sending or cleaning up, as the rows decide. It sends a window at
 * least; `goOn` tells whether another may follow. Undefined: the lane is over, or rests because its
 * organization is suspended, and the sweep takes it up again.
 */
export async function laneStep(
  parts: RunParts,
  ref: LaneRef,
  ticket: number,
  goOn: () => boolean = () => true,
): Promise<Next | undefined> {
  let givenUp: Parameters<OnOutcomes> | undefined;
  let leftovers: readonly Leftover[] = [];
  const entered = await inRun(
    parts,
    ref,
    async (work) => {
      leftovers = await readLeftovers(work, ref, parts.journal);
      return enter(work, parts, ref, ticket, leftovers, (...outcomes) => (givenUp = outcomes));
    },
    'rests',
  );
  if (givenUp !== undefined) parts.onOutcomes?.(...givenUp);
  if (entered === undefined || entered === 'lost') return undefined;
  if (entered === 'passed_on') return { ticket: ticket + 1, waitMs: 0 };
  const until = parts.clock.now().getTime() + stepMs;
  let reached = true;
  if (entered !== 'over' && entered !== 'blocked') {
    if (leftovers.some(({ taken }) => taken.length > 0)) {
      const rows = await inRun(parts, ref, (work) => recordTaken(work, entered, leftovers));
      parts.onOutcomes?.(entered.draft.channel, rows?.map(({ state }) => state) ?? []);
    }
    let more = true;
    let nextSize: number | undefined;
    while (more && parts.clock.now().getTime() < until && !parts.stopping.aborted) {
      ({ more, reached, nextSize } = await sendWindow(parts, ref, ticket, entered, nextSize));
      more &&= goOn();
    }
  }
  const pauseMs = entered === 'blocked' ? blockedMs : reached ? undefined : unreachableMs;
  return inRun(parts, ref, (work) => leave(work, ref, ticket, pauseMs));
}

/** Locks the lane, gives up what an interrupted step left in hand, and prepares more of the audience if needed. */
async function enter(
  work: Work,
  { providers }: RunParts,
  ref: LaneRef,
  ticket: number,
  leftovers: readonly Leftover[],
  onGivenUp: OnOutcomes,
): Promise<Run | 'over' | 'blocked' | 'lost' | 'passed_on'> {
  const holding = await holdLane(work, ref, ticket);
  if (holding !== 'mine') return holding;
  await setLane(work, ref, { next_at: leaseEnd(work), resting: false });
  const putBack = await putBackUntaken(work, leftovers);
  const givenUp = await giveUpInHand(work, ref.lane.broadcast, ref.lane.number);
  const row = await holdSent(work, ref.lane.broadcast);
  for (const { chargedAt, count } of putBack)
    await giveBackAllowance({ ...work, now: chargedAt }, row.channel as Channel, count);
  onGivenUp(row.channel, givenUp);
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
 * Passes the ticket on, for when something is due; ends the broadcast when every recipient is settled. `pauseMs`:
 * nothing can be sent before, even if recipients are due or added.
 */
async function leave(
  work: Work,
  ref: LaneRef,
  ticket: number,
  pauseMs: number | undefined,
): Promise<Next | undefined> {
  const isLast = ref.lane.number === 0;
  const holding = await holdLane(work, ref, ticket, isLast ? 'all' : 'this');
  // The engine lost sight of a step and ran it twice: the first run passed the ticket on, but the engine no longer
  // waits for that run.
  if (holding === 'passed_on') return { ticket: ticket + 1, waitMs: 0 };
  if (holding !== 'mine') return undefined;
  const row = await holdSent(work, ref.lane.broadcast);
  const isOff = isMailing(row) ? await isOfCanceledWebinar(work, row) : row.status !== 'sending';
  const stopped = isOff ? await skipStopped(work, row.id, stopChunk) : 0;
  const nextDue = await nextDueOf(work, row.id, ref.lane.number);
  const unprepared = row.status === 'sending' && row.prepared_at === null;
  const seesNobody = nextDue === undefined && !unprepared;
  // Lane 0 ends last and waits for all lanes. Another lane has nothing in hand by now, unless its step ran twice at
  // once: the other run may have died, and only this lane's next step gives up what it held.
  const isLeft =
    seesNobody && (isLast ? row.pending > stopped : await isQueuedInHand(work, row.id, ref.lane.number));
  if (seesNobody && !isLeft) {
    if (isMailing(row)) await endMailing(work, ref);
    else if (isLast) await endBroadcast(work, ref, row);
    else await closeLanes(work, ref, 'this');
    return undefined;
  }
  const rest = row.paced_over_hours === 0 ? restMs.atOnce : restMs.paced;
  const dueMs = nextDue === undefined ? rest : nextDue.getTime() - work.now.getTime();
  const isDue = unprepared || stopped > 0 || dueMs <= 0;
  const waitMs = pauseMs ?? (isDue ? 0 : Math.min(Math.max(dueMs, rest), longestWaitMs));
  const next_at = new Date(work.now.getTime() + waitMs);
  const resting = pauseMs === undefined && waitMs > 0;
  // Whoever is left while no lane hands over is before the lane's place in the queue.
  const isBefore = isLeft && !(await isInHand(work, ref, isLast ? 'all' : 'own'));
  await setLane(work, ref, { ticket: ticket + 1, next_at, resting, ...(isBefore && fromStart) });
  return { ticket: ticket + 1, waitMs, ...(resting && { rests: true }) };
}

async function endBroadcast(
  work: Work,
  ref: LaneRef,
  { status, error, ends_as }: StoredBroadcast,
): Promise<void> {
  const ended = status === 'sending' ? 'sent' : status;
  await setStatus(work, ref, {
    status: ends_as ?? ended,
    error: ends_as === null || ends_as === 'error' ? error : null,
    ends_as: null,
    finished_at: work.now,
  });
  await closeLanes(work, ref, 'all');
}

async function setStatus(
  work: Work,
  ref: LaneRef,
  changed: {
    readonly status: string;
    readonly error: string | null;
    readonly ends_as?: null;
    readonly finished_at?: Date;
  },
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
