import { claimLane, laneStep, putOff, type Next } from '../domain/broadcasts/sending/lane-step.ts';
import type { LaneRef } from '../domain/broadcasts/sending/lane.ts';
import type { RunParts } from '../domain/broadcasts/sending/run.ts';
import type { Slots } from '../kernel/slots.ts';
import { inPlace, noPlaceMs } from './in-place.ts';
import type { MessageHandler } from './mount-handlers.ts';
import { shortRetries } from './short-retries.ts';

/** When long work comes again that found no place: enough others wait for the next one. */
const longNoPlaceMs = 5_000;

/**
 * Sends broadcasts, step by step. A step with a ticket continues a lane; one without claims a lane that no live handler
 * holds. The rows decide both, so a duplicate message does nothing, and the sweep sends lost ones again.
 */
export const broadcastRun = (
  parts: RunParts,
  places: Slots,
  onEnd: (fields: object, message: string) => void,
): MessageHandler<'BroadcastRun'> => ({
  options: { inactivityTimeout: { minutes: 3 }, abortTimeout: { minutes: 3 }, retryPolicy: shortRetries },
  handle: async (context, { ticket: held, goes_on: isLong = false, ...ref }, again) => {
    const { broadcast: broadcast_id, number: lane } = ref.lane;
    const taken =
      held === undefined
        ? await context.run('take up', () => claimLane(parts, ref))
        : { ticket: held, isFew: !isLong };
    if (taken === undefined) return;
    const { ticket } = taken;
    const goes_on = !taken.isFew;
    // The action takes the place, not the attempt: an attempt that the engine gave up never ends, but its action does.
    const stepped = await context.run('step', () =>
      afterLast(`${broadcast_id}/${lane}`, () => step(parts, places, { ref, ticket, goes_on })),
    );
    if (stepped === undefined)
      onEnd({ org_id: ref.org_id, broadcast_id, lane }, 'a lane of a broadcast ended');
    else {
      const { waitMs, ...next } = stepped;
      again({ lane: `${broadcast_id}/${lane}`, ...next }, waitMs);
    }
  },
});

/** The last step of each lane that this process works on. */
const lastSteps = new Map<string, Promise<unknown>>();

/**
 * An engine that died repeats a step whose first try goes on here. It waits for that, which passes its ticket on: else it
 * would give up as uncertain what the first one puts back, because the fence died with the engine and does not answer.
 */
function afterLast<T>(lane: string, act: () => Promise<T>): Promise<T> {
  const acting = (lastSteps.get(lane) ?? Promise.resolve()).then(act);
  const ended = acting.then(
    () => undefined,
    () => undefined,
  );
  lastSteps.set(lane, ended);
  void ended.then(() => lastSteps.get(lane) === ended && lastSteps.delete(lane));
  return acting;
}

interface Step {
  readonly ref: LaneRef;
  readonly ticket: number;
  /** It has much to do, as one has that did not reach its server. Otherwise it begins with few, or comes from a rest. */
  readonly goes_on: boolean;
}

type NextStep = (Omit<Next, 'rests'> & Pick<Step, 'goes_on'>) | undefined;

/**
 * A first lane that comes to work with little to do may have a spare place for one window, so it is never behind the
 * long work of others. A second lane may not: its broadcast is under way.
 */
async function step(parts: RunParts, places: Slots, { ref, ticket, goes_on }: Step): Promise<NextStep> {
  const placing = { places, owner: ref.org_id, stopping: parts.stopping };
  const isShort = !goes_on && ref.lane.number === 0;
  const goOn = () => !places.isWanted(ref.org_id) && !(isShort && places.overfull);
  const next = await inPlace({ ...placing, kind: isShort ? 'short' : 'long' }, () =>
    laneStep(parts, ref, ticket, goOn),
  );
  if (next === undefined) return undefined;
  if (next !== 'no_place') {
    const { rests = false, ...after } = next;
    return { ...after, goes_on: !rests };
  }
  const waitMs = isShort ? noPlaceMs : longNoPlaceMs;
  return (await putOff(parts, ref, ticket)) ? { ticket, goes_on, waitMs } : undefined;
}
