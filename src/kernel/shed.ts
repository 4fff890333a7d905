/** Why a call was turned away without doing its work, so that the others are served. */
export type ShedReason =
  | 'too_many_calls'
  | 'no_place'
  | 'unknown_keys'
  | 'unknown_keys_at_once'
  | 'platform_webhooks_at_once'
  | 'email_webhooks_at_once'
  | 'text_webhooks_at_once';

export type OnShed = (reason: ShedReason) => void;
