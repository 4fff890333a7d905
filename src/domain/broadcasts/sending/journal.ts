/** How far a message came. One that is not in the journal was never handed over. */
export type Course = 'handed_over' | 'taken' | 'not_taken';

/**
 * Notes beside the database, for the time after this process died, which messages it handed over and what was answered
 * (ADR 110).
 */
export interface Journal {
  /** Names this process in what it claims. */
  readonly process: string;
  /** This process may hand messages of a claim over, until it says that it is done with it. */
  open(claim: string): () => void;
  /** False if it could not be noted: the message must not be handed over then. */
  note(claim: string, delivery: number, course: Course): boolean;
  /**
   * The deliveries of a claim that a process noted. Undefined if that is not known for sure: it runs still
   * and may not be done with the claim, or ran on another machine or before this one was started.
   */
  read(process: string, claim: string): Promise<ReadonlyMap<number, Course> | undefined>;
}
