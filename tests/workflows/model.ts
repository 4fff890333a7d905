/**
 * Where a run through webinar waits must be, reckoned apart from the service: plain arithmetic over times in
 * milliseconds, with no rows, no clock and no graph to read.
 */

export interface ModelStep {
  readonly node: string;
  readonly at: number;
  readonly did: string;
}

/** A webinar's start, and since when it was that. */
export interface Start {
  readonly from: number;
  readonly start: number;
}

/** Every start a webinar had, the first to the last. */
export type Starts = readonly [Start, ...Start[]];

export interface Departure {
  readonly at: number;
  readonly did: 'waited' | 'past';
}

/**
 * How a run leaves a wait, when nothing else is known than the start in force and when that was last brought forward:
 * a wait that was over before it could begin is past, whatever else happened.
 */
export function departure(due: number, began: number, broughtForwardAt: number): Departure {
  const bound = Math.max(began, broughtForwardAt);
  return due < bound ? { at: bound, did: 'past' } : { at: due, did: 'waited' };
}

/**
 * How a run that came to a wait leaves it while the webinar moves: at the first start by which it is due before the next
 * comes into force. Whoever moves it must have let everything that was due go first, or it could be either.
 */
function leaveWait(starts: Starts, began: number, offset: number): Departure {
  let broughtForwardAt = -Infinity;
  for (const [index, { from, start }] of starts.entries()) {
    const before = starts[index - 1];
    if (before !== undefined && start < before.start) broughtForwardAt = from;
    const next = starts[index + 1];
    if (next !== undefined && next.from <= began) continue;
    const left = departure(start + offset, began, broughtForwardAt);
    if (next === undefined || left.did === 'past' || left.at < next.from) return left;
  }
  throw new Error('a webinar has a last start');
}

export interface Registrant {
  /** When the run began. */
  readonly at: number;
  readonly isPro: boolean;
  /** As reported before the run came to ask. */
  readonly attended: boolean;
}

const minute = 60_000;

/** The journey's waits, as minutes from the start; its webinar lasts an hour. */
export const journeyMinutes = { dayBefore: -1440, hourBefore: -60, afterEnd: 60 + 30, rest: 120 } as const;

/**
 * The whole way of one registrant through the journey of the kill test:
 *
 *     confirmation -> a day before -> reminder -> an hour before -> pro or not -> reminder of either kind
 *       -> half an hour after the end -> attended or not -> message of either kind -> two hours -> mark -> end
 *
 * A run that is too late for the day before skips that reminder, one too late for the end skips the message after it.
 */
export function journeyOf({ at: began, isPro, attended }: Registrant, starts: Starts): ModelStep[] {
  const steps: ModelStep[] = [];
  let at = began;
  const step = (node: string, did: string) => steps.push({ node, at, did });
  const wait = (node: string, minutes: number): boolean => {
    const left = leaveWait(starts, at, minutes * minute);
    at = left.at;
    step(node, left.did);
    return left.did === 'waited';
  };
  step('confirmation', 'added');
  if (wait('day_before', journeyMinutes.dayBefore)) step('reminder_day', 'added');
  wait('hour_before', journeyMinutes.hourBefore);
  step('is_pro', isPro ? 'yes' : 'no');
  step(isPro ? 'reminder_pro' : 'reminder_plain', 'added');
  if (wait('after_end', journeyMinutes.afterEnd)) {
    step('was_there', attended ? 'attended' : 'no_show');
    step(attended ? 'thanks' : 'missed', 'added');
  }
  at += journeyMinutes.rest * minute;
  step('rest', 'waited');
  step('mark', 'set');
  step('over', 'ended');
  return steps;
}
