import { encode as quotedPrintable, wrap } from 'nodemailer/lib/qp';
import { textOfCopy, type Copy } from '../../../content/body/copy.ts';

export interface EncodedText {
  readonly encoding: 'quoted-printable' | 'base64';
  /** Lines end in CRLF. */
  readonly encoded: string;
}

/** The fixed texts of letters, encoded; undefined for a letter that goes in base64. */
const known = new WeakMap<Copy['fixed'], readonly string[] | undefined>();

const softBreak = '=\r\n';
const longestLine = 75; // and the equal sign of a soft break

/**
 * Encodes a copy of a text. What its copies share is encoded once: each piece stands on lines of its own, which a soft
 * line break makes one line again.
 */
export function encodeText(copy: Copy): EncodedText {
  const fixed = known.has(copy.fixed) ? known.get(copy.fixed) : encodeFixed(copy.fixed);
  if (fixed === undefined) {
    return { encoding: 'base64', encoded: base64(textOfCopy(copy).replaceAll(/\r\n?|\n/g, '\r\n')) };
  }
  let encoded = '';
  let last = '\n';
  const add = (piece: string): void => {
    if (piece === '') return;
    encoded += last.endsWith('\n') ? piece : softBreak + piece;
    last = piece;
  };
  add(fixed[0]!);
  for (const [n, one] of copy.own.entries()) {
    add(encodeOwn(one));
    add(fixed[n + 1]!);
  }
  return { encoding: 'quoted-printable', encoded };
}

function encodeFixed(fixed: Copy['fixed']): readonly string[] | undefined {
  const encoded = mostlyAscii(fixed.join('')) ? fixed.map(encodeLines) : undefined;
  known.set(fixed, encoded);
  return encoded;
}

/** Mostly a link or a word, of which only equal signs are encoded. */
const encodeOwn = (text: string): string =>
  /^[ -~]*[!-~]$/.test(text) ? encodePrintable(text) : encodeLines(text);

function encodePrintable(text: string): string {
  const encoded = text.replaceAll('=', '=3D');
  let lines = '';
  let from = 0;
  while (encoded.length - from > longestLine) {
    // No line ends within an equal sign.
    const sign = encoded.indexOf('=', from + longestLine - 2);
    const end = sign >= 0 && sign < from + longestLine ? sign : from + longestLine;
    lines += encoded.slice(from, end) + softBreak;
    from = end;
  }
  return lines + encoded.slice(from);
}

/** Quoted-printable. It encodes each line by itself. */
const encodeLines = (text: string): string =>
  text
    .split(/\r\n?|\n/)
    .map((line) => wrap(quotedPrintable(line)))
    .join('\r\n');

/** Quoted-printable takes three characters for a byte that is not ASCII, base64 four for any three. */
function mostlyAscii(text: string): boolean {
  const more = Buffer.byteLength(text) - text.length; // bytes beyond one a character
  return more * 4 < text.length;
}

export const base64 = (text: string): string => folded(Buffer.from(text).toString('base64'), 76, '\r\n');

/** A long word in pieces of so many characters. */
export function folded(word: string, length: number, fold: string): string {
  let text = word.slice(0, length);
  for (let at = length; at < word.length; at += length) text += fold + word.slice(at, at + length);
  return text;
}
