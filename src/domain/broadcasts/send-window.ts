import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Work } from '../../database/work.ts';
import { readValues } from '../content/read-values.ts';
import type { Claimed } from '../delivery/ledger.ts';
import type { HandOver } from '../delivery/outgoing.ts';
import { admit } from '../delivery/receiving-domains.ts';
import type { Settled } from '../delivery/settle.ts';
import { findWebinar } from '../webinars/webinar.ts';
import { checkWindow, type Recipient } from './check-window.ts';
import { claimNext } from './claim-next.ts';
import { handOver } from './hand-over.ts';
import { inRun } from './in-run.ts';
import type { LaneRef } from './lane.ts';
import { isCalledOff } from './mailing-step.ts';
import { recordWindow, type Outcome } from './record-window.ts';
import type { Run, RunParts } from './run.ts';
import { settledBy } from './settle-answer.ts';

const recordTries = 40;
const recordPauseMs = 1_000;

export interface Sent {
  /** There may be more to send at once. */
  readonly more: boolean;
  /** Somebody was there to take messages, if there were any. */
  readonly reached: boolean;
}

/**
 * Sends what is due, one window. Three transactions: claim, so that nobody else sends these; look once more and hand
 * over, holding the people; record. Dying between any two leaves a window claimed, which the next step gives up as
 * uncertain: it is never sent again.
 */
export async function sendWindow(parts: RunParts, ref: LaneRef, ticket: number, run: Run): Promise<Sent> {
  const claim = randomUUID();
  const taken = await inRun(parts, ref, (work) => claimNext(work, run, { ref, ticket, claim }));
  if (taken === undefined || taken.claimed.length === 0) return { more: taken?.more ?? false, reached: true };
  const outcome = await deliverWindow(parts, ref, run, { claim, claimed: taken.claimed });
  await recordSurely(() => inRun(parts, ref, (work) => recordWindow(work, run, outcome)));
  const answers = [...outcome.answers.values()];
  const reached = answers.length === 0 || answers.some((answer) => answer.outcome !== 'unreached');
  return { more: taken.more && reached, reached };
}

/** From the last look to the last answer. */
async function deliverWindow(
  parts: RunParts,
  ref: LaneRef,
  run: Run,
  { claim, claimed }: { readonly claim: string; readonly claimed: readonly Claimed[] },
): Promise<Outcome> {
  let aside: readonly Settled[] = [];
  let began = false;
  const handed: Settled[] = [];
  const answers = new Map<Recipient, HandOver>();
  try {
    await inRun(parts, ref, async (work) => {
      // A transaction may be tried again, but not once messages went out in it.
      if (began) throw new Error('a window is handed over once');
      const current = await withWebinar(work, run);
      const checked = await lastLook(work, current, claimed);
      aside = checked.aside;
      const people = checked.go.map(({ person_id }) => person_id);
      const moment = { now: work.now, zone: run.zone };
      const values = await readValues(work, people, run.draft.variables, current.webinar, moment);
      began = people.length > 0;
      await handOver(work, run, parts.providers, { recipients: checked.go, values }, (recipient, answer) => {
        answers.set(recipient, answer);
        handed.push(settledBy(current, recipient, answer, work.now));
      });
    });
  } catch (error) {
    if (began && answers.size === 0) throw error;
    // Nothing went out: they may go back. Or all of it did, and only the look at it was lost.
    if (!began) aside = claimed.map(({ id }) => ({ id, state: 'pending', untried: true }));
  }
  return { claim, settled: [...aside, ...handed], answers };
}

/** With its webinar as it is by now: nobody is told a time that was moved since the step began. */
const withWebinar = async (work: Work, run: Run): Promise<Run> =>
  run.webinar === undefined ? run : { ...run, webinar: await findWebinar(work, run.webinar.id) };

/** Who may be written to now; a receiving domain that asked for patience gets it. */
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

/** What was handed over must be written down: a database that is away is waited for. */
async function recordSurely(record: () => Promise<unknown>): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      await record();
      return;
    } catch (error) {
      if (tried >= recordTries) throw error;
      await pause(recordPauseMs);
    }
  }
}
