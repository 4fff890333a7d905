import { headerOf, readFields, type Inbound } from './read-inbound.ts';

/** The part of a mailbox provider's spam report that names the message. */
export interface Feedback {
  readonly complaint: boolean;
  /** Where our token may be: the Message-ID and the return path of the reported message. */
  readonly named: readonly (string | undefined)[];
}

// The others of RFC 5965 and 6591 are no complaints: not-spam is the opposite, auth-failure is about signatures.
const complaints = new Set(['abuse', 'fraud', 'opt-out', 'opt-out-list', 'miscategorized']);

/**
 * Reads a report by RFC 5965, or a message attached whole, as Microsoft's feedback loop and people who forward to
 * abuse@ send it. Undefined when it is neither.
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
