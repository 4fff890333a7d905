import { headerOf, readFields, type Inbound } from './read-inbound.ts';

/** What a mailbox provider passes on when somebody calls a message spam, as far as it names the message. */
export interface Feedback {
  readonly complaint: boolean;
  /** Where our token may stand: the Message-ID and the return path of the message complained of. */
  readonly named: readonly (string | undefined)[];
}

// The others of RFC 5965 and 6591 are no complaints: not-spam is the opposite, auth-failure is about signatures.
const complaints = new Set(['abuse', 'fraud', 'opt-out', 'opt-out-list', 'miscategorized']);

/**
 * RFC 5965, or a message that is attached whole: Microsoft's loop and people who forward to abuse@ send that. Nothing,
 * when there is no message in it.
 */
export function readArf({ parts }: Inbound): Feedback | undefined {
  const find = (types: RegExp) => parts.find(({ type }) => types.test(type))?.text;
  const report = find(/^message\/feedback-report$/);
  const original = find(/^(message\/(rfc822|global)|text\/rfc822-headers|message\/global-headers)$/);
  if (report === undefined && (original === undefined || find(/delivery-status$/) !== undefined))
    return undefined;
  const about = readFields(report ?? '');
  const header = readFields(headerOf(original ?? ''));
  const type = /^[\w-]+/.exec(about.get('feedback-type') ?? '')?.[0]?.toLowerCase();
  return {
    complaint: report === undefined || (type !== undefined && complaints.has(type)),
    named: [header.get('message-id'), header.get('return-path'), about.get('original-mail-from')],
  };
}
