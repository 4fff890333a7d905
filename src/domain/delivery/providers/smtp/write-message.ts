import { encode as quotedPrintable, wrap } from 'nodemailer/lib/qp';
import type { OutgoingEmail } from '../../outgoing/outgoing.ts';
import { writeHeader } from './write-header.ts';

/** A serialized message and its envelope. Lines end in CRLF; the header has no empty line after it. */
export interface WrittenMessage {
  readonly header: string;
  readonly body: string;
  readonly envelope: { readonly from: string; readonly to: string };
}

/**
 * Serializes an email: the plain text, then the HTML, and beside these the calendar file if there is one. nodemailer
 * encodes the header; the parts are assembled here, because its streams take three times as long.
 */
export function writeMessage(email: OutgoingEmail): WrittenMessage {
  const { header, boundary, to } = writeHeader(email);
  const texts = [part('text/plain', email.text), part('text/html', email.html)];
  const parts = email.calendar === undefined ? texts : [within(boundary, texts), file(email.calendar)];
  return { header, body: joined(boundary, parts), envelope: { from: email.returnPath, to } };
}

const joined = (boundary: string, parts: readonly string[]): string =>
  `${parts.map((one) => `--${boundary}\r\n${one}\r\n`).join('')}--${boundary}--\r\n`;

/** A part of parts. Neither boundary begins with the other. */
function within(boundary: string, parts: readonly string[]): string {
  const inner = boundary.replace('=_', '=_within');
  return `Content-Type: multipart/alternative; boundary="${inner}"\r\n\r\n${joined(inner, parts)}`;
}

const file = ({ text, type }: NonNullable<OutgoingEmail['calendar']>): string =>
  `Content-Type: ${type}; name="webinar.ics"\r\nContent-Disposition: attachment; filename="webinar.ics"\r\n` +
  `Content-Transfer-Encoding: base64\r\n\r\n${base64(text)}`;

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
