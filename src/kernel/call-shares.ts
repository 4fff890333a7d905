import type { IsCrowded } from './breather.ts';
import { Failure } from './failure.ts';
import type { OnShed } from './shed.ts';

/** Heavy calls have places of their own, so that slow ones never take those of quick ones. */
export type CallKind = 'light' | 'heavy';

export interface KindLimits {
  /** Calls of all organizations at once. */
  readonly places: number;
  /** What an organization may have, however many others are active. */
  readonly least: number;
}

export interface ShareOptions {
  readonly longestWaitMs?: number;
  readonly onShed?: OnShed | undefined;
}

/**
 * Takes a place of the organization's share, which is free again once the answer is called; refuses when too many of its
 * calls wait already.
 */
export type TakePlace = (org: string, kind: CallKind) => Promise<FreePlace>;

export interface CallShares {
  readonly take: TakePlace;
  /** Several organizations are active. */
  readonly isCrowded: IsCrowded;
}

/** While others are active the place rests first: what was dear for all is not done again at once. */
export type FreePlace = (restMs?: number) => void;

interface Active {
  readonly held: Record<CallKind, number>;
  /** How calls that wait begin, in order. */
  readonly waiting: Record<CallKind, Set<() => void>>;
  readonly forgetting: NodeJS.Timeout;
}

/** Calls of one organization that may wait. */
const mostWaiting = 128;
/** An organization is active for so long after its last call: what it may have is free when it calls again. */
const activeForMs = 1_000;

/**
 * Shares the places for calls among the organizations that are active. Alone, one may have nearly all. A second finds
 * places free at once; then each has its share of one half, and the other half is free for whoever comes next. A place
 * that becomes free goes to the organization that has the fewest, so nobody waits in a line behind another's calls.
 */
export function callShares(
  limits: Readonly<Record<CallKind, KindLimits>>,
  { onShed = () => undefined, longestWaitMs = 10_000 }: ShareOptions = {},
): CallShares {
  const orgs = new Map<string, Active>();
  const taken: Record<CallKind, number> = { light: 0, heavy: 0 };
  const inLine: Record<CallKind, Set<Active>> = { light: new Set(), heavy: new Set() };

  const isCrowded = (): boolean => orgs.size > 1;

  function mayBegin({ held }: Active, kind: CallKind): boolean {
    const { places, least } = limits[kind];
    const share = isCrowded() ? Math.ceil(places / (2 * orgs.size)) : Math.floor((places * 3) / 4);
    return taken[kind] < places && held[kind] < Math.max(least, share);
  }

  function beginWaiting(kind: CallKind): void {
    for (;;) {
      let next: Active | undefined;
      for (const one of inLine[kind])
        if (mayBegin(one, kind) && (next === undefined || one.held[kind] < next.held[kind])) next = one;
      if (next === undefined) return;
      const [begin] = next.waiting[kind];
      begin!();
      // Those with as many take turns.
      inLine[kind].delete(next);
      if (next.waiting[kind].size > 0) inLine[kind].add(next);
    }
  }

  function activate(org: string): Active {
    const known = orgs.get(org);
    if (known !== undefined) return known;
    const forget = (): void => {
      const { held, waiting } = active;
      if (held.light + held.heavy + waiting.light.size + waiting.heavy.size > 0) return;
      orgs.delete(org);
      // The others may have more now.
      beginWaiting('light');
      beginWaiting('heavy');
    };
    const active: Active = {
      held: { light: 0, heavy: 0 },
      waiting: { light: new Set(), heavy: new Set() },
      forgetting: setTimeout(forget, activeForMs).unref(),
    };
    orgs.set(org, active);
    return active;
  }

  function waitForPlace(org: Active, kind: CallKind, hold: () => void): Promise<void> {
    const { held, waiting } = org;
    if (waiting.light.size + waiting.heavy.size >= mostWaiting) {
      onShed('too_many_calls');
      throw tooManyCalls();
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (): void => {
      clearTimeout(timer);
      waiting[kind].delete(begin);
      if (waiting[kind].size === 0) inLine[kind].delete(org);
    };
    const begin = (): void => {
      leave();
      hold();
      resolve();
    };
    const giveUp = (): void => {
      leave();
      org.forgetting.refresh();
      const isOwnDoing = held[kind] > 0;
      onShed(isOwnDoing ? 'too_many_calls' : 'no_place');
      reject(isOwnDoing ? tooManyCalls() : noPlace());
    };
    const timer = setTimeout(giveUp, longestWaitMs);
    waiting[kind].add(begin);
    inLine[kind].add(org);
    return promise;
  }

  const take: TakePlace = async (name, kind) => {
    const org = activate(name);
    const hold = (): void => {
      org.held[kind]++;
      taken[kind]++;
    };
    if (org.waiting[kind].size === 0 && mayBegin(org, kind)) hold();
    else await waitForPlace(org, kind, hold);
    const free = (): void => {
      org.held[kind]--;
      taken[kind]--;
      org.forgetting.refresh();
      beginWaiting(kind);
    };
    return (restMs = 0) => {
      if (restMs > 0 && isCrowded()) setTimeout(free, restMs).unref();
      else free();
    };
  };
  return { take, isCrowded };
}

export const tooManyCalls = (): Failure =>
  new Failure(
    'rate_limited',
    'Too many calls of this organization are under way. Wait for some of their answers, then send this one again.',
    { retryAfterSeconds: 1 },
  );

const noPlace = (): Failure =>
  new Failure('unavailable', 'The service has more to do than it can. Send the request again shortly.', {
    retryAfterSeconds: 2,
  });
