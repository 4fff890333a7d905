import MimeNode from 'nodemailer/lib/mime-node';
import type { OutgoingEmail } from '../../outgoing/outgoing.ts';
import { relaxFields } from './relax.ts';

export interface WrittenHeader {
  /** Without the empty line after it. */
  readonly header: string;
  /** Its fields by name, in the form that is signed. */
  readonly fields: ReadonlyMap<string, string>;
  readonly boundary: string;
  /** The address as the envelope has it. */
  readonly to: string;
}

/** The header of a letter, cut where its copies differ. */
interface Letter extends Pick<WrittenHeader, 'fields' | 'boundary'> {
  readonly pieces: readonly string[];
}

/** Letters by what their copies share, for a moment: their date is that of the first. */
const letters = new Map<string, Letter>();
const sameDateMs = 5_000;

/** Addresses and unsubscribe fields that nodemailer would write as they are. */
const plainAddress = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9.-]+$/;
const plainWays = /^<[!-;=?-~]+>(, <[!-;=?-~]+>)?$/;

/** A copy has the header of its letter, with its own address, Message-ID and ways to unsubscribe in their places. */
export function writeHeader(email: OutgoingEmail): WrittenHeader {
  const { 'List-Unsubscribe': ways = '', ...shared } = email.headers;
  if (!plainAddress.test(email.to) || !plainAddress.test(email.messageId) || !plainWays.test(ways))
    return encodeHeader(email);
  const key = JSON.stringify([
    email.from,
    email.replyTo,
    email.subject,
    shared,
    email.calendar !== undefined,
  ]);
  let letter = letters.get(key);
  if (letter === undefined) {
    letter = cutHeader({ ...email, headers: shared });
    letters.set(key, letter);
    setTimeout(() => letters.delete(key), sameDateMs).unref();
  }
  const own = [email.to, email.messageId, ways.replace(', ', ',\r\n ')];
  const header = letter.pieces.map((piece, n) => piece + (own[n] ?? '')).join('');
  const fields = new Map(letter.fields)
    .set('to', `to:${email.to}`)
    .set('message-id', `message-id:<${email.messageId}>`)
    .set('list-unsubscribe', `list-unsubscribe:${ways}`);
  return { header, fields, boundary: letter.boundary, to: email.to };
}

const places = { to: 'to@place.invalid', messageId: 'id@place.invalid', ways: '<ways@place.invalid>' };

/** The places come first in a header, in this order, so nothing that a sender writes can be taken for one. */
function cutHeader(email: OutgoingEmail): Letter {
  const { header, ...same } = encodeHeader({
    ...email,
    to: places.to,
    messageId: places.messageId,
    headers: { 'List-Unsubscribe': places.ways, ...email.headers },
  });
  const pieces: string[] = [];
  let rest = header;
  for (const place of Object.values(places)) {
    const at = rest.indexOf(place);
    pieces.push(rest.slice(0, at));
    rest = rest.slice(at + place.length);
  }
  return { ...same, pieces: [...pieces, rest] };
}

function encodeHeader(email: OutgoingEmail): WrittenHeader {
  const type = email.calendar === undefined ? 'multipart/alternative' : 'multipart/mixed';
  const root = new MimeNode(type, { boundaryPrefix: '=_' }); // cannot occur in either encoding
  root.setHeader({
    To: { name: '', address: email.to },
    'Message-ID': `<${email.messageId}>`,
    ...email.headers,
    From: email.from,
    'Reply-To': email.replyTo,
    Subject: email.subject,
  });
  root.setEnvelope({ from: email.returnPath, to: { name: '', address: email.to } });
  const { to } = root.getEnvelope();
  if (to.length !== 1) throw new Error('an email goes to one address');
  const header = `${root.buildHeaders()}\r\n`;
  return {
    header,
    fields: relaxFields(header),
    boundary: String(root.boundary),
    to: to[0]!,
  };
}
