import type { Compiled, Piece, TrackedPiece, TrackedPieces } from './body.ts';
import { escapeValue } from './escape.ts';
import { isWebLink, linkAsText, wrongWithLink } from '../../../kernel/link.ts';

// Characters that change the direction of the text after them, and those that no mail may contain.
const turning = String.raw`\u202A-\u202E\u2066-\u2069`;
const unwanted = new RegExp(String.raw`[[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}${turning}]--[\t\n]]`, 'gv');

/**
 * A body as one person gets it. `values` are formatted texts by placeholder; one that is missing is empty. Each is
 * inserted escaped and not scanned again: a name that reads {{link_var_x}} stays that text. Numbered web links lead
 * where `urlOf` says, and without it to the address as written.
 */
export function renderHtml(
  pieces: TrackedPieces,
  values: ReadonlyMap<string, string>,
  urlOf?: (link: number) => string,
): string {
  let html = '';
  for (const piece of pieces) html += htmlOf(piece, values, urlOf);
  return html;
}

/** One piece of it. */
export function htmlOf(
  piece: TrackedPiece,
  values: ReadonlyMap<string, string>,
  urlOf: ((link: number) => string) | undefined,
): string {
  if (typeof piece === 'string') return piece;
  if ('text' in piece) {
    // One line: a value is part of a sentence.
    const line = (values.get(piece.text) ?? '').replace(/[\t\n\r\u2028\u2029]+/g, ' ');
    return escapeValue(line.replace(unwanted, ''));
  }
  if ('href' in piece) return urlOf === undefined ? piece.written : hrefTo(urlOf(piece.href));
  const link = linkOf(piece.link, values);
  const { rest = '', style = '' } = 'number' in piece ? piece : {};
  if (link === undefined) return rest;
  const isTracked = urlOf !== undefined && 'number' in piece && isWebLink(link);
  return hrefTo(isTracked ? urlOf(piece.number) : link) + rest + style;
}

const hrefTo = (url: string): string => ` href="${escapeValue(url)}"`;

/** The same in plain text, where a link follows its text in brackets, or is left out. */
export function renderText(pieces: Compiled, values: ReadonlyMap<string, string>): string {
  let text = '';
  for (const piece of pieces) text += plainOf(piece, values, text);
  return text;
}

/** One piece of it; `before` ends as the text before it does. */
export function plainOf(piece: Piece, values: ReadonlyMap<string, string>, before: string): string {
  if (typeof piece === 'string') return piece;
  if ('text' in piece) return (values.get(piece.text) ?? '').replace(unwanted, '');
  const link = linkOf(piece.link, values);
  if (link === undefined) return '';
  const isAlone = /^\s?$/.test(before.slice(-1));
  return `${isAlone ? '' : ' '}(${linkAsText(link)})`;
}

/** A custom property may hold anything, so a link is judged again with each value. */
function linkOf(name: string, values: ReadonlyMap<string, string>): string | undefined {
  const link = (values.get(name) ?? '').trim();
  return wrongWithLink(link) === undefined ? link : undefined;
}
