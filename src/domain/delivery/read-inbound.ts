import PostalMime, { type Email } from 'postal-mime';

/** A message somebody sent us, as far as we read it. */
export interface Inbound {
  /** Every value of a header, in order. */
  readonly header: (name: string) => readonly string[];
  /** Parts that are not the message's own text: reports, messages attached. */
  readonly parts: readonly { readonly type: string; readonly text: string }[];
  readonly text: string;
}

// What tells us something stands in front: reports come before the message they are about, and of that the header is
// enough. The parser takes 20 µs a line, so a megabyte of empty lines would hold everybody else up for seconds.
const mostLines = 5_000;
const mostBytes = 256 * 1024;
const mostParts = 50;
const longestPart = 128 * 1024;

/** Reads a message, whatever it looks like; nothing, when it is built to be unreadable. */
export async function readInbound(raw: Uint8Array): Promise<Inbound | undefined> {
  let email: Email;
  try {
    // Messages inside are evidence, not content: kept as they came, never taken apart in turn.
    email = await PostalMime.parse(frontOf(raw), {
      forceRfc822Attachments: true,
      maxNestingDepth: 20,
      maxHeadersSize: 128 * 1024,
    });
  } catch {
    return undefined;
  }
  return {
    header: (name) => email.headers.filter(({ key }) => key === name).map(({ value }) => value),
    parts: email.attachments.slice(0, mostParts).map(({ mimeType, content }) => ({
      type: mimeType,
      text: textOf(content),
    })),
    text: (email.text ?? email.html ?? '').slice(0, longestPart),
  };
}

function frontOf(raw: Uint8Array): Uint8Array {
  const front = raw.subarray(0, mostBytes);
  let end = -1;
  for (let line = 0; line < mostLines; line++) {
    end = front.indexOf(0x0a, end + 1);
    if (end === -1) return front;
  }
  return front.subarray(0, end + 1);
}

// Fields are ASCII as a rule; what is not is kept byte by byte rather than guessed at.
const textOf = (content: ArrayBuffer | Uint8Array | string): string =>
  typeof content === 'string'
    ? content.slice(0, longestPart)
    : Buffer.from(content instanceof Uint8Array ? content : new Uint8Array(content)).toString(
        'latin1',
        0,
        longestPart,
      );

/** The fields of a header or of one group of a report, by name in lower case; the first of a name counts. */
export function readFields(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of text.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon < 1) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    if (!fields.has(name)) fields.set(name, line.slice(colon + 1).trim());
  }
  return fields;
}

/** What stands before the first empty line: the header of a message. */
export const headerOf = (message: string): string => message.split(/\r?\n[ \t]*\r?\n/, 1)[0] ?? '';
