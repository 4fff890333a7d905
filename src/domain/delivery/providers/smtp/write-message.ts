import MimeNode from 'nodemailer/lib/mime-node';
import { encode as quotedPrintable, wrap } from 'nodemailer/lib/qp';
import type { OutgoingEmail } from '../../outgoing/outgoing.ts';

/** A serialized message and its envelope. Lines end in CRLF; the header has no empty line after it. */
export interface WrittenMessage {
  readonly header: string;
  readonly body: string;
  readonly envelope: { readonly from: string; readonly to: string };
}

/**
 * Serializes an email: the plain text, then the HTML. nodemailer encodes the header; the parts are assembled here,
 * because its streams take three times as long.
 */
export function writeMessage(email: OutgoingEmail): WrittenMessage {
  const root = new MimeNode('multipart/alternative', { boundaryPrefix: '=_' }); // cannot occur in either encoding
  root.setHeader({
    From: email.from,
    To: { name: '', address: email.to },
    'Reply-To': email.replyTo,
    Subject: email.subject,
    'Message-ID': `<${email.messageId}>`,
    ...email.headers,
  });
  root.setEnvelope({ from: email.returnPath, to: { name: '', address: email.to } });
  const header = root.buildHeaders();
  const mark = `--${root.boundary}`;
  const parts = [part('text/plain', email.text), part('text/html', email.html)];
  const { to } = root.getEnvelope();
  if (to.length !== 1) throw new Error('an email goes to one address');
  return {
    header: `${header}\r\n`,
    body: `${parts.map((one) => `${mark}\r\n${one}\r\n`).join('')}${mark}--\r\n`,
    envelope: { from: email.returnPath, to: to[0]! },
  };
}

function part(type: string, content: string): string {
  const lines = content.replaceAll(/\r\n?|\n/g, '\r\n');
  const isLatin = mostlyAscii(lines);
  const encoded = isLatin ? wrap(quotedPrintable(lines)) : base64(lines);
  const encoding = isLatin ? 'quoted-printable' : 'base64';
  return `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${encoded}`;
}

/** Quoted-printable takes three characters for a byte that is not ASCII, base64 four for any three. */
function mostlyAscii(text: string): boolean {
  const more = Buffer.byteLength(text) - text.length; // bytes beyond one a character
  return more * 4 < text.length;
}

const base64 = (text: string): string =>
  Buffer.from(text)
    .toString('base64')
    .replaceAll(/.{76}(?=.)/g, '$&\r\n');
