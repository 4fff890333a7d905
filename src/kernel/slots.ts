/** Places that owners share; as a rule the owners are organizations. */
export interface Slots {
  /**
   * Resolves to false, and takes no place, if the signal comes first, too many wait or it takes too long. `short` may
   * also have a spare place.
   */
  take(owner: string, signal: AbortSignal, kind?: PlaceKind): Promise<boolean>;
  free(owner: string): void;
  /** Whether somebody waits who has fewer places than this owner. */
  isWanted(owner: string): boolean;
  /** A spare place is taken. */
  readonly overfull: boolean;
  /** Changes how many places there are. Places beyond it stay taken until they are freed. */
  resize(most: number): void;
  readonly taken: number;
  readonly waiting: number;
  /** No place is held or waited for. */
  readonly unused: boolean;
}

export type PlaceKind = 'long' | 'short';

export interface SlotsOptions {
  /** Places beside the others that only short work may have. */
  readonly spare?: number;
  /** How many of one owner may wait. */
  readonly own?: number;
  /** How many may wait in all. Then short work may before long, and else whoever was served longest ago. */
  readonly all?: number;
  readonly longestMs?: number;
  /**
   * Counts places that an owner had of late like those it has, and halves that count after so many turns. So whoever
   * comes with little to do goes first, and whoever has much waits for its share.
   */
  readonly remember?: number;
  /** Short work is served as if its owner had had so many places less. */
  readonly ahead?: number;
}

interface Line {
  readonly owner: string;
  readonly kind: PlaceKind;
  /** How those who wait leave, in order. */
  readonly leaves: Set<(isServed: boolean) => void>;
}

const mostRemembered = 1_000;

/**
 * Alone, an owner may have all places. A place that becomes free goes to the waiting owner that has the fewest, among
 * these to the one that was served longest ago.
 */
export function slots(most: number, options: SlotsOptions = {}): Slots {
  const { spare = 0, own = Infinity, all = Infinity, longestMs, remember = 0, ahead = 0 } = options;
  const held = new Map<string, number>();
  const served = new Map<string, number>(); // the number of each owner's last turn
  const recent = new Map<string, number>();
  const lines = new Map<string, Line>();
  let taken = 0;
  let turn = 0;
  let waiting = 0;

  const heldBy = (owner: string): number => held.get(owner) ?? 0;
  const had = ({ owner, kind }: Line): number =>
    heldBy(owner) + (recent.get(owner) ?? 0) - (kind === 'short' ? ahead : 0);
  const lastTurn = (owner: string): number => served.get(owner) ?? 0;
  const mayBegin = (kind: PlaceKind): boolean => taken < (kind === 'short' ? most + spare : most);

  function hold(owner: string): void {
    taken++;
    held.set(owner, heldBy(owner) + 1);
    served.delete(owner);
    served.set(owner, ++turn);
    if (served.size > mostRemembered) served.delete(served.keys().next().value!);
    if (remember > 0) recent.set(owner, (recent.get(owner) ?? 0) + 1);
    if (turn % remember === 0) forgetHalf();
  }

  function forgetHalf(): void {
    for (const [owner, count] of recent)
      if (count > 1) recent.set(owner, Math.floor(count / 2));
      else recent.delete(owner);
  }

  /** The first line by an order; among equals the one that is there longest. */
  function firstBy(order: (a: Line, b: Line) => number): Line | undefined {
    let first: Line | undefined;
    for (const line of lines.values()) if (first === undefined || order(line, first) < 0) first = line;
    return first;
  }

  const byTurn = (a: Line, b: Line): number =>
    Number(mayBegin(b.kind)) - Number(mayBegin(a.kind)) ||
    had(a) - had(b) ||
    lastTurn(a.owner) - lastTurn(b.owner);

  const isShort = ({ kind }: Pick<Line, 'kind'>): number => Number(kind === 'short');

  function mayWait(owner: string, kind: PlaceKind): boolean {
    const ofOwner = lines.values().filter((line) => line.owner === owner);
    if (ofOwner.reduce((count, { leaves }) => count + leaves.size, 0) >= own) return false;
    if (waiting < all) return true;
    const last = firstBy((a, b) => isShort(a) - isShort(b) || lastTurn(b.owner) - lastTurn(a.owner));
    if (last === undefined || isShort(last) > isShort({ kind })) return false;
    if (isShort(last) === isShort({ kind }) && lastTurn(last.owner) <= lastTurn(owner)) return false;
    const [leave] = last.leaves;
    leave!(false);
    return true;
  }

  const wait = (owner: string, signal: AbortSignal, kind: PlaceKind): Promise<boolean> =>
    new Promise((resolve) => {
      const name = `${kind} ${owner}`;
      const line = lines.get(name) ?? { owner, kind, leaves: new Set() };
      const leave = (isServed: boolean): void => {
        signal.removeEventListener('abort', giveUp);
        clearTimeout(timer);
        line.leaves.delete(leave);
        if (line.leaves.size === 0) lines.delete(name);
        waiting--;
        resolve(isServed);
      };
      const giveUp = (): void => leave(false);
      const timer = longestMs === undefined ? undefined : setTimeout(giveUp, longestMs);
      signal.addEventListener('abort', giveUp, { once: true });
      line.leaves.add(leave);
      lines.set(name, line);
      waiting++;
    });

  /** Gives a place to who is next, if there is one for it. */
  function serveNext(): boolean {
    const next = firstBy(byTurn);
    if (next === undefined || !mayBegin(next.kind)) return false;
    hold(next.owner);
    const [leave] = next.leaves;
    leave!(true);
    return true;
  }

  return {
    take: async (owner, signal, kind = 'long') => {
      if (signal.aborted) return false;
      if (!mayBegin(kind)) return mayWait(owner, kind) && wait(owner, signal, kind);
      hold(owner);
      return true;
    },
    free: (owner) => {
      taken--;
      if (heldBy(owner) > 1) held.set(owner, heldBy(owner) - 1);
      else held.delete(owner);
      // The place goes straight to who is next: once it is free, a newcomer could take it first.
      serveNext();
      if (taken === 0) recent.clear(); // nobody waited for what was had so far
    },
    resize: (to) => {
      most = to;
      while (serveNext());
    },
    get taken() {
      return taken;
    },
    get waiting() {
      return waiting;
    },
    isWanted: (owner) => lines.values().some((line) => heldBy(line.owner) < heldBy(owner)),
    get overfull() {
      return taken > most;
    },
    get unused() {
      return taken === 0;
    },
  };
}
