import { isUtf8 } from 'node:buffer';
import PostalMime from 'postal-mime';

/** The parts of a message that are read here. */
export interface ParsedMessage {
  readonly headers: readonly { readonly key: string; readonly value: string }[];
  /** Parts that are not the message's own text: reports, messages attached. */
  readonly parts: readonly { readonly type: string; readonly text: string }[];
  readonly text: string;
}

const mostParts = 50;
const longestPart = 128 * 1024;

/** Returns null for a message that is built to be unreadable. */
export async function parseInbound(message: Uint8Array): Promise<ParsedMessage | null> {
  try {
    // Attached messages are evidence, not content: they stay as they came and are not parsed.
    const email = await PostalMime.parse(message, {
      forceRfc822Attachments: true,
      maxNestingDepth: 20,
      maxHeadersSize: 64 * 1024,
    });
    return {
      headers: email.headers.map(({ key, value }) => ({ key, value })),
      parts: email.attachments
        .slice(0, mostParts)
        .map(({ mimeType, content }) => ({ type: mimeType, text: textOf(content) })),
      text: (email.text ?? email.html ?? '').slice(0, longestPart),
    };
  } catch {
    return null;
  }
}

function textOf(content: ArrayBuffer | Uint8Array | string): string {
  if (typeof content === 'string') return content.slice(0, longestPart);
  const bytes = Buffer.from(content instanceof Uint8Array ? content : new Uint8Array(content));
  const front = bytes.subarray(0, longestPart);
  // Fields are usually ASCII or UTF-8; anything else is kept byte by byte rather than guessed.
  return front.toString(isUtf8(front) ? 'utf8' : 'latin1');
}
