import type { IsCrowded } from './breather.ts';
import { Failure } from './failure.ts';
import type { OnShed } from './shed.ts';

/**
 * Heavy calls have places of their own, so that slow ones never take those of quick ones. Forms that people send take
 * those of light calls, of which an organization may have more for them: each costs the same little.
 */
export type CallKind = 'light' | 'heavy' | 'form';

export interface KindLimits {
  /** Calls of all organizations at once. */
  readonly places: number;
  /** What an organization may have, however many others are active. */
  readonly least: number;
}

export interface Limits {
  readonly light: KindLimits;
  readonly heavy: KindLimits;
  /** What an organization may have of the light places, however many others are active. */
  readonly forms?: number;
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

/** Calls of one kind of one organization. */
interface Line {
  readonly kind: CallKind;
  held: number;
  /** How those that wait begin, in order. */
  readonly waiting: Set<() => void>;
}

interface Active {
  readonly lines: Readonly<Record<CallKind, Line>>;
  readonly forgetting: NodeJS.Timeout;
}

/** Whose places they take. */
type Places = 'light' | 'heavy';
const placesFor = (kind: CallKind): Places => (kind === 'heavy' ? 'heavy' : 'light');
const newLine = (kind: CallKind): Line => ({ kind, held: 0, waiting: new Set() });
const isIdle = ({ held, waiting }: Line): boolean => held === 0 && waiting.size === 0;

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
  limits: Limits,
  { onShed = () => undefined, longestWaitMs = 10_000 }: ShareOptions = {},
): CallShares {
  const orgs = new Map<string, Active>();
  const taken: Record<Places, number> = { light: 0, heavy: 0 };
  const inLine: Record<Places, Set<Line>> = { light: new Set(), heavy: new Set() };

  const isCrowded = (): boolean => orgs.size > 1;

  function mayBegin({ kind, held }: Line): boolean {
    const { places, least } = limits[placesFor(kind)];
    const share = isCrowded() ? Math.ceil(places / (2 * orgs.size)) : Math.floor((places * 3) / 4);
    const mayHave = Math.max(least, share, kind === 'form' ? (limits.forms ?? 0) : 0);
    return taken[placesFor(kind)] < places && held < mayHave;
  }

  function beginWaiting(places: Places): void {
    for (;;) {
      let next: Line | undefined;
      for (const line of inLine[places])
        if (mayBegin(line) && (next === undefined || line.held < next.held)) next = line;
      if (next === undefined) return;
      const [begin] = next.waiting;
      begin!();
      // Those with as many take turns.
      inLine[places].delete(next);
      if (next.waiting.size > 0) inLine[places].add(next);
    }
  }

  function activate(org: string): Active {
    const known = orgs.get(org);
    if (known !== undefined) return known;
    const forget = (): void => {
      if (!Object.values(active.lines).every(isIdle)) return;
      orgs.delete(org);
      // The others may have more now.
      beginWaiting('light');
      beginWaiting('heavy');
    };
    const active: Active = {
      lines: { light: newLine('light'), heavy: newLine('heavy'), form: newLine('form') },
      forgetting: setTimeout(forget, activeForMs).unref(),
    };
    orgs.set(org, active);
    return active;
  }

  function waitForPlace({ lines, forgetting }: Active, line: Line, hold: () => void): Promise<void> {
    const allWaiting = Object.values(lines).reduce((sum, { waiting }) => sum + waiting.size, 0);
    if (allWaiting >= mostWaiting) {
      onShed('too_many_calls');
      throw tooManyCalls();
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const linesOfPlaces = inLine[placesFor(line.kind)];
    const leave = (): void => {
      clearTimeout(timer);
      line.waiting.delete(begin);
      if (line.waiting.size === 0) linesOfPlaces.delete(line);
    };
    const begin = (): void => {
      leave();
      hold();
      resolve();
    };
    const giveUp = (): void => {
      leave();
      forgetting.refresh();
      const isOwnDoing = line.held > 0;
      onShed(isOwnDoing ? 'too_many_calls' : 'no_place');
      reject(isOwnDoing ? tooManyCalls() : noPlace());
    };
    const timer = setTimeout(giveUp, longestWaitMs);
    line.waiting.add(begin);
    linesOfPlaces.add(line);
    return promise;
  }

  const take: TakePlace = async (name, kind) => {
    const org = activate(name);
    const line = org.lines[kind];
    const places = placesFor(kind);
    const hold = (): void => {
      line.held++;
      taken[places]++;
    };
    if (line.waiting.size === 0 && mayBegin(line)) hold();
    else await waitForPlace(org, line, hold);
    const free = (): void => {
      line.held--;
      taken[places]--;
      org.forgetting.refresh();
      beginWaiting(places);
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
