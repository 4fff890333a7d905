/** A recipient at the fence. A database that went back may give an id of the ledger again, but none of these. */
export type FencedRecipient = readonly [person: string, run: string | null];

export interface FencedWindow {
  readonly lane: number;
  readonly number: number;
  readonly claim: string;
  readonly recipients: readonly FencedRecipient[];
}

/** The last window of a lane that was noted, and when, in milliseconds. */
export type LastWindow = Omit<FencedWindow, 'recipients'> & { readonly at: number };

export interface Note extends FencedWindow {
  readonly at: number;
  /** Claims of this lane that the database knows. */
  readonly known: readonly string[];
}

export interface Noted {
  /** False if the last window of the lane is none of the known ones; nothing was noted then. */
  readonly noted: boolean;
  /** The last window of each lane. */
  readonly last: readonly LastWindow[];
}

/**
 * Knows outside the database which windows were handed over (ADR 60): each is noted before. A database without a window
 * that was noted went back, and must not send. Undefined: the fence did not answer.
 */
export interface Fence {
  note(fenced: string, window: Note): Promise<Noted | undefined>;
  /** The windows of a lane with the numbers from `upTo` downwards, at most `most`. */
  read(
    fenced: string,
    from: { readonly lane: number; readonly upTo: number; readonly most: number },
  ): Promise<readonly FencedWindow[] | undefined>;
}
