import { wholeCopy, type Copy } from '../../../content/body/copy.ts';
import type { OutgoingEmail } from '../../outgoing/outgoing.ts';
import { base64, encodeText } from './encode-text.ts';
import { writeHeader } from './write-header.ts';

/** A serialized message and its envelope. Lines end in CRLF; the header has no empty line after it. */
export interface WrittenMessage {
  readonly header: string;
  /** The fields of the header by name, in the form that is signed. */
  readonly fields: ReadonlyMap<string, string>;
  readonly body: string;
  readonly envelope: { readonly from: string; readonly to: string };
}

/**
 * Serializes an email: the plain text, then the HTML, and beside these the calendar file if there is one. nodemailer
 * encodes the header and quoted-printable; the parts are assembled here, because its streams take three times as long.
 */
export function writeMessage(email: OutgoingEmail): WrittenMessage {
  const { header, fields, boundary, to } = writeHeader(email);
  const texts = [part('text/plain', email.text), part('text/html', email.html)];
  const parts = email.calendar === undefined ? texts : [within(boundary, texts), file(email.calendar)];
  return { header, fields, body: joined(boundary, parts), envelope: { from: email.returnPath, to } };
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

function part(type: string, content: string | Copy): string {
  const { encoding, encoded } = encodeText(typeof content === 'string' ? wholeCopy(content) : content);
  return `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${encoded}`;
}
