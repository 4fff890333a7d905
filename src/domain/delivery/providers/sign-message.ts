import { createHash, sign, type KeyObject } from 'node:crypto';
import type { OutgoingEmail } from '../outgoing.ts';
import type { WrittenMessage } from './write-message.ts';

/** Signed if there. The unsubscribe fields must be, or Gmail and Yahoo do not believe them (RFC 8058). */
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
 * The DKIM-Signature of a message (RFC 6376, rsa-sha256, relaxed/relaxed), with which it is complete. Each field is named
 * twice: the second stands for one that is not there, so nobody can add another From and still have our signature. It is
 * written here because nodemailer names no field twice, signs on the main thread, which is then busy for half a
 * millisecond a message, and with a key that is none sends unsigned and says nothing; this throws.
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
    `bh=${createHash('sha256').update(relaxBody(body)).digest('base64')};`,
    `h=${names.join(':')}:\r\n\t${names.join(':')};`,
    'b=',
  ].join('\r\n\t');
  const lines = [...names.map((name) => fields.get(name)!), relaxField(start)];
  const signature = await signBy(key, lines.join('\r\n'));
  return Buffer.from(`${start}${signature.replaceAll(/.{72}(?=.)/g, '$&\r\n\t')}\r\n${header}\r\n${body}`);
}

/** By name, as they are signed. */
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

/** RFC 6376, 3.4.4, but for empty lines at the end: as it is written, a body has none. */
const relaxBody = (body: string): string => body.replaceAll(/[ \t]+/g, ' ').replaceAll(' \r\n', '\r\n');

const signBy = (key: KeyObject, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    sign('sha256', Buffer.from(text), key, (error, signature) => {
      if (error === null) resolve(signature.toString('base64'));
      else reject(error);
    });
  });
