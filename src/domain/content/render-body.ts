import type { Compiled, Piece } from './body.ts';
import { escapeValue } from './escape.ts';
import { linkAsText, wrongWithLink } from './link.ts';

// Characters that turn the direction of whatever follows, and those that no mail may hold.
const turning = String.raw`\u202A-\u202E\u2066-\u2069`;
const unwanted = new RegExp(String.raw`[[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}${turning}]--[\t\n]]`, 'gv');

/**
 * A body as one person gets it. `values` are formatted texts by placeholder; one that is missing is empty. Each is put
 * in as it is, escaped, and not looked at again: a name that reads {{link_var_x}} stays that text.
 */
export function renderHtml(pieces: Compiled, values: ReadonlyMap<string, string>): string {
  let html = '';
  for (const piece of pieces) html += htmlOf(piece, values);
  return html;
}

/** One piece of it; `asSent` says what stands for a link that a value gave. */
export function htmlOf(
  piece: Piece,
  values: ReadonlyMap<string, string>,
  asSent = (link: string): string => link,
): string {
  if (typeof piece === 'string') return piece;
  if ('text' in piece) {
    // One line: a value is part of a sentence.
    const line = (values.get(piece.text) ?? '').replace(/[\t\n\r\u2028\u2029]+/g, ' ');
    return escapeValue(line.replace(unwanted, ''));
  }
  const link = linkOf(piece.link, values);
  return link === undefined ? '' : ` href="${escapeValue(asSent(link))}"`;
}

/** The same in plain text, where a link stands in brackets behind what it is about, or not at all. */
export function renderText(pieces: Compiled, values: ReadonlyMap<string, string>): string {
  let text = '';
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      text += piece;
    } else if ('text' in piece) {
      text += (values.get(piece.text) ?? '').replace(unwanted, '');
    } else {
      const link = linkOf(piece.link, values);
      if (link === undefined) continue;
      const isAlone = /^\s?$/.test(text.slice(-1));
      text += `${isAlone ? '' : ' '}(${linkAsText(link)})`;
    }
  }
  return text;
}

/** A custom property may hold anything, so a link is judged again with each value. */
function linkOf(name: string, values: ReadonlyMap<string, string>): string | undefined {
  const link = (values.get(name) ?? '').trim();
  return wrongWithLink(link) === undefined ? link : undefined;
}
