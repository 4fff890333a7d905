import type { Draft } from '../draft/draft-input.ts';
import type { Outcome, Reason } from './outcome.ts';

type Channel = Draft['channel'];
type Words = string | Readonly<Record<Channel, string>>;

const skipped: Readonly<Partial<Record<Reason, Words>>> = {
  opted_out: { email: 'they had opted out of email', sms: 'they had opted out of texts' },
  bounced: 'mail to their address had come back for good',
  complained: 'they had reported a message as spam',
  blacklisted: 'their address was on the blacklist',
  no_address: {
    email: 'they had no email address that may be written to',
    sms: 'they had no phone number that may be written to',
  },
  invalid_address: {
    email: 'their email address is not one that mail can be sent to',
    sms: 'their phone number is not written with its country code, as +15550100',
  },
  duplicate_address: 'they were among the recipients twice, and one message is enough',
  left_audience: 'they were no longer in the audience when their turn came',
  deleted: 'the person was deleted or merged just when their turn came',
  allowance_used_up: 'the allowance of the month was used up',
  stopped: 'the broadcast was stopped before their turn came',
};

const failed: Readonly<Partial<Record<Reason, Words>>> = {
  bounced: 'the other side said that their address does not exist or takes nothing',
  refused: 'the other side refused the message, though not for their address',
  gave_up: 'the other side put it off until it was too late to try again',
};

const uncertain: Readonly<Partial<Record<Reason, Words>>> = {
  interrupted: 'the service was interrupted while it handed the message over',
  no_answer: 'the message was handed over and no answer came back',
  record_lost: 'the message was being handed over when the database lost its latest records',
};

const all: Readonly<Partial<Record<Outcome, Readonly<Partial<Record<Reason, Words>>>>>> = {
  skipped,
  failed,
  uncertain,
};

/** Why a recipient has this outcome, as a clause to read out. */
export function wordsFor(outcome: Outcome, reason: string | null, channel: Channel): string {
  const words = all[outcome]?.[reason as Reason] ?? `the reason on record is ${reason ?? 'none'}`;
  return typeof words === 'string' ? words : words[channel];
}
