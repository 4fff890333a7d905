import type { Claimed } from '../../delivery/ledger/ledger.ts';
import type { Noted } from './fence.ts';
import { inRun } from './in-run.ts';
import type { LaneRef } from './lane.ts';
import type { Run, RunParts } from './run.ts';
import { fencedName, forgottenAmong, type Numbered } from './windows.ts';

/** A window that a lane claimed and has not handed over yet. */
export interface ClaimedWindow extends Numbered {
  readonly claim: string;
  readonly claimed: readonly Claimed[];
  /** The moment of whose month the allowance was charged. */
  readonly chargedAt: Date;
}

/** Notes a window at the fence, before it is handed over. Undefined: the fence did not answer. */
export async function noteWindow(
  parts: RunParts,
  ref: LaneRef,
  { row }: Run,
  { claim, number, known, claimed }: ClaimedWindow,
): Promise<Noted | undefined> {
  const recipients = claimed.flatMap(({ person_id, run_id }) =>
    person_id === null ? [] : [[person_id, run_id] as const],
  );
  const window = { lane: ref.lane.number, number, claim, recipients, at: parts.clock.now().getTime(), known };
  const fenced = fencedName(ref.org_id, row);
  const noted = await parts.fence.note(fenced, window);
  if (noted === undefined || noted.noted) return noted;
  // The last window is of a step that ran at the same time, or there were many since that the fence did not answer for.
  const forgotten = await inRun(parts, ref, (work) => forgottenAmong(work, row.id, noted.last));
  if (forgotten?.length !== 0) return noted;
  return parts.fence.note(fenced, { ...window, known: noted.last.map((last) => last.claim) });
}
