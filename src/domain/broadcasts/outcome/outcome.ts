/** The outcome of a recipient; `pending` while it is still to come. */
export const outcomes = ['sent', 'skipped', 'failed', 'uncertain', 'pending'] as const;
export type Outcome = (typeof outcomes)[number];

/** Why a recipient was skipped, failed or is uncertain. */
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
  'record_lost',
] as const;
export type Reason = (typeof reasons)[number];

/** The ledger has a state of its own for messages in hand, `sending`; callers see it as `pending`. */
export const outcomeOf = (state: string): Outcome => (state === 'sending' ? 'pending' : (state as Outcome));
