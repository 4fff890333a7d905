import { verify, type KeyObject } from 'node:crypto';
import { z } from 'zod';

// Written by hand: it is one list of fields and one call. Packages for it fetch the certificate themselves, though the
// host and the limits of that fetch matter here; they also accept version 1, which signs with SHA-1.

const Signed = z.object({
  Type: z.enum(['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation']),
  MessageId: z.string(),
  TopicArn: z.string(),
  Message: z.string(),
  Timestamp: z.string(),
  Subject: z.string().nullish(),
  Token: z.string().optional(),
  SubscribeURL: z.string().optional(),
  SignatureVersion: z.string(),
  Signature: z.string(),
  SigningCertURL: z.string(),
});

export type SnsMessage = z.output<typeof Signed>;

/** A message that claims to be from SNS; its signature is not checked yet. */
export function readSnsMessage(body: string): SnsMessage | undefined {
  try {
    return Signed.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}

/**
 * Whether Amazon signed it with this key. No age limit: SNS tries for an hour, and a repeated message changes nothing.
 */
export const isSigned = (message: SnsMessage, key: KeyObject): boolean =>
  verify('sha256', Buffer.from(textToSign(message)), key, Buffer.from(message.Signature, 'base64'));

/** Names and values in byte order of the names, a line each; a field that is not there is left out. */
function textToSign(message: SnsMessage): string {
  const names =
    message.Type === 'Notification'
      ? (['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'] as const)
      : (['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'] as const);
  return names
    .filter((name) => typeof message[name] === 'string')
    .map((name) => `${name}\n${message[name]}\n`)
    .join('');
}
