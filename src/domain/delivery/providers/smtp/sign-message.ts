import { hash, sign, type KeyObject } from 'node:crypto';
import type { OutgoingEmail } from '../../outgoing/outgoing.ts';
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
  { header, body }: WrittenMessage,
  { domain, selector, key }: OutgoingEmail['dkim'],
): Promise<Buffer> {
  if (key.asymmetricKeyType !== 'rsa') throw new Error(`no DKIM signature of ${domain} without an RSA key`);
  const fields = readFields(header);
  const names = signed.filter((name) => fields.has(name));
  const start = [
    `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domain}; s=${selector};`,
    `bh=${hash('sha256', relaxBody(body), 'base64')};`,
    `h=${names.join(':')}:\r\n\t${names.join(':')};`,
    'b=',
  ].join('\r\n\t');
  const lines = [...names.map((name) => fields.get(name)!), relaxField(start)];
  const signature = await signBy(key, lines.join('\r\n'));
  return Buffer.from(`${start}${signature.replaceAll(/.{72}(?=.)/g, '$&\r\n\t')}\r\n${header}\r\n${body}`);
}

/** Header fields by name, in the form that is signed. */
function readFields(header: string): Map<string, string> {
  const fields = header.split(/\r\n(?![ \t])/).filter((field) => field !== '');
  return new Map(
    fields.map((field) => [field.slice(0, field.indexOf(':')).toLowerCase(), relaxField(field)]),
  );
}

/** RFC 6376, 3.4.2. */
function relaxField(field: string): string {
  const colon = field.indexOf(':');
  const value = field
    .slice(colon + 1)
    .replaceAll('\r\n', '')
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/^ | $/g, '');
  return `${field.slice(0, colon).toLowerCase()}:${value}`;
}

/** RFC 6376, 3.4.4, except for empty lines at the end: a written body has none. */
const relaxBody = (body: string): string => body.replaceAll(/[ \t]{2,}|\t/g, ' ').replaceAll(' \r\n', '\r\n');

const signBy = (key: KeyObject, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    sign('sha256', Buffer.from(text), key, (error, signature) => {
      if (error === null) resolve(signature.toString('base64'));
      else reject(error);
    });
  });
