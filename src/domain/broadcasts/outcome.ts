/** Where a recipient of a broadcast ended up, or that it is still to come. */
export const outcomes = ['sent', 'skipped', 'failed', 'uncertain', 'pending'] as const;
export type Outcome = (typeof outcomes)[number];

/** Why somebody was skipped, why handing over failed, or why nobody knows. */
export const reasons = [
  'opted_out',
  'bounced',
  'complained',
  'blacklisted',
  'no_address',
  'invalid_address',
  'duplicate_address',
  'left_audience',
  'deleted',
  'allowance_used_up',
  'stopped',
  'refused',
  'gave_up',
  'interrupted',
  'no_answer',
] as const;
export type Reason = (typeof reasons)[number];

/** The ledger also tells apart what is in hand at this moment; to everybody else that is still to come. */
export const outcomeOf = (state: string): Outcome => (state === 'sending' ? 'pending' : (state as Outcome));
