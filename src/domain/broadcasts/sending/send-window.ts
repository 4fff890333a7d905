import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Work } from '../../../database/work.ts';
import { readCalendarFiles } from '../../content/calendar/read-calendar-file.ts';
import { readValues } from '../../content/variables/read-values.ts';
import type { Claimed } from '../../delivery/ledger/ledger.ts';
import { canSend, type HandOver } from '../../delivery/outgoing/outgoing.ts';
import { admit } from '../../delivery/ledger/receiving-domains.ts';
import { defaultRoute } from '../../delivery/ledger/route.ts';
import type { Settled } from '../../delivery/ledger/settle.ts';
import { findWebinar } from '../../webinars/record/webinar.ts';
import { checkWindow, type Recipient } from './check-window.ts';
import { catchUp } from './catch-up.ts';
import { claimNext, type Hold } from './claim-next.ts';
import type { Noted } from './fence.ts';
import { few } from './for-few.ts';
import { handOver } from './hand-over.ts';
import { inRun } from './in-run.ts';
import type { Course } from './journal.ts';
import { leaseMs, type LaneRef } from './lane.ts';
import { isCalledOff } from './mailing-step.ts';
import { noteWindow, type ClaimedWindow } from './note-window.ts';
import { recordWindow, type Outcome } from './record-window.ts';
import type { Run, RunParts } from './run.ts';
import { settledBy } from './settle-answer.ts';
import { forgottenAmong } from './windows.ts';

const recordPauseMs = 500;
// What a lane has in hand becomes uncertain if its machine is lost, and may go out after a stop: so many as go in this
// time, but a few at least.
const inHandMs = 500;
const most = 8 * few;

export interface Sent {
  /** More may be due right now. */
  readonly more: boolean;
  /** The provider was reachable, or there was nothing to send. */
  readonly reached: boolean;
  /** How large the next one may be. */
  readonly nextSize?: number;
}

/**
 * Sends one window of due messages in three transactions: claim, so that no other lane sends these; check once more and
 * hand over, with the people locked; record. A crash between any two leaves the window claimed, and the next step gives
 * it up as uncertain: it is never sent again. After the claim the window is noted at the fence, which knows of it even
 * if the database goes back.
 */
export async function sendWindow(
  parts: RunParts,
  ref: LaneRef,
  ticket: number,
  run: Run,
  size = few,
): Promise<Sent> {
  const claim = randomUUID();
  const done = parts.journal?.open(claim);
  try {
    return await sendClaim(parts, run, { ref, ticket, claim, by: parts.journal?.process, size });
  } finally {
    done?.();
  }
}

async function sendClaim(parts: RunParts, run: Run, hold: Hold): Promise<Sent> {
  const { ref, ticket, claim } = hold;
  const began = parts.clock.now().getTime();
  const leaseEnds = began + leaseMs;
  const taken = await inRun(parts, ref, (work) => claimNext(work, run, hold), 'rests');
  if (taken === undefined || taken.claimed.length === 0)
    return { more: taken?.more ?? false, reached: taken?.held !== true };
  const window = { ...taken, claim };
  const noted = await noteWindow(parts, ref, run, window);
  const outcome =
    noted?.noted === true
      ? await deliverWindow(parts, ref, run, { ...window, last: noted.last })
      : { ...putBack(window), isBehind: noted !== undefined };
  const hasLease = () => parts.clock.now().getTime() < leaseEnds;
  const record = () => inRun(parts, ref, (work) => recordWindow(work, run, outcome));
  const rows = (await recordSurely(hasLease, record)) ?? [];
  parts.onOutcomes?.(
    run.draft.channel,
    rows.map(({ state }) => state),
  );
  if (noted === undefined) return { more: false, reached: false };
  if (outcome.isBehind) {
    const caughtUp = await catchUp(parts, ref, ticket, run, noted.last);
    return { more: caughtUp, reached: caughtUp };
  }
  const answers = [...outcome.answers.values()];
  const reached = answers.length === 0 || answers.some((answer) => answer.outcome !== 'unreached');
  const tookMs = parts.clock.now().getTime() - began;
  const inTime = Math.floor((taken.claimed.length * inHandMs) / Math.max(tookMs, 1));
  return { more: taken.more && reached, reached, nextSize: Math.min(Math.max(inTime, few), most) };
}

/** Nothing went out: all may be pending again. */
const putBack = ({ claim, chargedAt, claimed }: ClaimedWindow): Outcome => ({
  claim,
  chargedAt,
  settled: claimed.map(({ id }) => ({ id, state: 'pending', untried: true })),
  answers: new Map(),
  route: defaultRoute,
});

/** From the last check to the last answer. `isBehind`: the database lacks a window that was noted. */
async function deliverWindow(
  parts: RunParts,
  ref: LaneRef,
  run: Run,
  window: ClaimedWindow & Pick<Noted, 'last'>,
): Promise<Outcome & { readonly isBehind: boolean }> {
  let aside: readonly Settled[] = [];
  let began = false;
  let isBehind = false;
  let route = defaultRoute;
  const handed: Settled[] = [];
  const answers = new Map<Recipient, HandOver>();
  try {
    await inRun(parts, ref, async (work) => {
      // A transaction may be tried again, but not once messages went out in it.
      if (began) throw new Error('a window is handed over once');
      // A claim commits before it is noted, so whatever the fence knew is here by now, unless the database went back.
      isBehind = (await forgottenAmong(work, run.row.id, window.last)).length > 0;
      if (isBehind) return;
      const { channel } = run.draft;
      const providers = await parts.providers(work, channel);
      // Its route was taken away since the step began: the next one says so.
      if (run.testRecipients === undefined && !canSend(providers, channel)) throw new Error('no provider');
      route = providers.route;
      const current = await withWebinar(work, run);
      const checked = await lastLook(work, current, window.claimed);
      aside = checked.aside;
      const people = checked.go.map(({ person_id }) => person_id);
      const moment = { now: work.now, zone: run.zone };
      const values = await readValues(work, people, run.draft.variables, current.webinar, moment);
      const calendars =
        run.row.attaches_calendar && current.webinar !== undefined && people.length > 0
          ? await readCalendarFiles(work, current.webinar.id, people)
          : undefined;
      began = people.length > 0;
      const isFew = window.claimed.length < few;
      const noted = (delivery: number, course: Course): boolean =>
        parts.journal?.note(window.claim, delivery, course) ?? true;
      const going = { recipients: checked.go, values, calendars, isFew, noted };
      await handOver(work, run, providers, going, (recipient, answer) => {
        answers.set(recipient, answer);
        handed.push(settledBy(current, recipient, answer, work.now));
      });
    });
  } catch (error) {
    if (began && answers.size === 0) throw error;
    // Either nothing went out, and all may be pending again; or all messages did, and only the transaction that checked
    // them failed.
    if (!began) return { ...putBack(window), isBehind };
  }
  if (isBehind) return { ...putBack(window), isBehind };
  const { claim, chargedAt } = window;
  return { claim, chargedAt, settled: [...aside, ...handed], answers, route, isBehind };
}

/** Reads the webinar again: no message may give a time that was moved since the step began. */
const withWebinar = async (work: Work, run: Run): Promise<Run> =>
  run.webinar === undefined ? run : { ...run, webinar: await findWebinar(work, run.webinar.id) };

/** Decides who may be written to now; a receiving domain that asked for less mail gets less. */
async function lastLook(work: Work, run: Run, claimed: readonly Claimed[]) {
  if (isCalledOff(run)) {
    const stopped = claimed.map(({ id }): Settled => ({
      id,
      state: 'skipped',
      reason: 'stopped',
      untried: true,
    }));
    return { go: [], aside: stopped };
  }
  const { go, aside } = await checkWindow(work, run, claimed);
  if (run.draft.channel === 'sms') return { go, aside };
  const admitted = await admit(work, go);
  const later = [...admitted.later].map(([id, due_at]): Settled => ({
    id,
    state: 'pending',
    due_at,
    untried: true,
  }));
  return { go: go.filter(({ id }) => admitted.go.has(id)), aside: [...aside, ...later] };
}

/** Records what was handed over, however often it takes while the lane has its lease: the database may be away. */
async function recordSurely<T>(hasLease: () => boolean, record: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await record();
    } catch (error) {
      if (!hasLease()) throw error;
      await pause(recordPauseMs);
    }
  }
}
