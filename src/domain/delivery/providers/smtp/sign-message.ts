import { hash, sign, type KeyObject } from 'node:crypto';
import type { OutgoingEmail } from '../../outgoing/outgoing.ts';
import { folded } from './encode-text.ts';
import { relaxBody } from './relax.ts';
import type { WrittenMessage } from './write-message.ts';

/** Fields that are signed if present. Gmail and Yahoo ignore unsigned unsubscribe fields (RFC 8058). */
const signed = [
  'from',
  'to',
  'subject',
  'date',
  'message-id',
  'reply-to',
  'mime-version',
  'content-type',
  'list-unsubscribe',
  'list-unsubscribe-post',
  'list-id',
  'feedback-id',
];

/**
 * Adds the DKIM-Signature (RFC 6376, rsa-sha256, relaxed/relaxed), which completes a message. Each field is listed
 * twice: the second entry covers an absent field, so that adding another From breaks the signature. It is written here
 * because nodemailer lists no field twice, signs on the main thread, which is then busy for half a millisecond a
 * message, and with an invalid key silently sends unsigned; this throws.
 */
export async function signMessage(
  { header, fields, body }: WrittenMessage,
  { domain, selector, key }: OutgoingEmail['dkim'],
): Promise<Buffer> {
  if (key.asymmetricKeyType !== 'rsa') throw new Error(`no DKIM signature of ${domain} without an RSA key`);
  const names = signed.filter((name) => fields.has(name));
  const tags = [
    `v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domain}; s=${selector};`,
    `bh=${hash('sha256', relaxBody(body), 'base64')};`,
    `h=${names.join(':')}:`,
    `${names.join(':')};`,
    'b=',
  ];
  const relaxed = [...names.map((name) => fields.get(name)!), `dkim-signature:${tags.join(' ')}`];
  const signature = folded(await signBy(key, relaxed.join('\r\n')), 72, '\r\n\t');
  return Buffer.from(`DKIM-Signature: ${tags.join('\r\n\t')}${signature}\r\n${header}\r\n${body}`);
}

const signBy = (key: KeyObject, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    sign('sha256', Buffer.from(text), key, (error, signature) => {
      if (error === null) resolve(signature.toString('base64'));
      else reject(error);
    });
  });
