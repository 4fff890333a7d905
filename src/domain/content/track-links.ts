import type { Compiled, Piece } from './body.ts';
import { escapeValue } from './escape.ts';
import { htmlOf } from './render-body.ts';

/** Where a link leads: to a fixed address, or to wherever a placeholder's value for the person says. */
export type TrackedLink = { readonly url: string } | { readonly placeholder: string };

/** A piece of a body whose links have numbers: `href` is a whole attribute, as `link` is. */
type TrackedPiece = Piece | { readonly href: number } | { readonly link: string; readonly number: number };
export type TrackedPieces = readonly TrackedPiece[];

// We wrote these tags ourselves: < begins one and nothing else, attributes stand in double quotes, and no quote is in
// their values. A text that reads href="…" has no <a before it.
const linkTag = /(<a(?: [a-z]+="[^"]*")*?) href="([^"]*)"/g;

/**
 * Gives every web link of a body its number, which is its place in `links`. One destination has one number however
 * often it is linked to. Mail and telephone links stay as they are: nothing of ours is on their way.
 */
export function trackLinks(pieces: Compiled): {
  readonly pieces: TrackedPieces;
  readonly links: readonly TrackedLink[];
} {
  const links: TrackedLink[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (key: string, link: TrackedLink): number => {
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, links.length);
    return links.push(link) - 1;
  };
  const tracked = pieces.flatMap((piece): readonly TrackedPiece[] => {
    if (typeof piece === 'string') return cutAtLinks(piece, (url) => numberOf(`to ${url}`, { url }));
    if ('text' in piece) return [piece];
    return [{ link: piece.link, number: numberOf(`by ${piece.link}`, { placeholder: piece.link }) }];
  });
  return { pieces: tracked, links };
}

/** A body as one person gets it, as renderHtml has it but for its web links: those lead where `urlOf` says. */
export function renderTracked(
  pieces: TrackedPieces,
  values: ReadonlyMap<string, string>,
  urlOf: (link: number) => string,
): string {
  let html = '';
  for (const piece of pieces) {
    if (typeof piece === 'string') html += piece;
    else if ('href' in piece) html += ` href="${escapeValue(urlOf(piece.href))}"`;
    else if ('number' in piece)
      html += htmlOf(piece, values, (link) => (isWebLink(link) ? urlOf(piece.number) : link));
    else html += htmlOf(piece, values);
  }
  return html;
}

export const isWebLink = (link: string): boolean => /^https?:/i.test(link);

function cutAtLinks(html: string, numberOf: (url: string) => number): readonly TrackedPiece[] {
  const pieces: TrackedPiece[] = [];
  let from = 0;
  for (const { 0: tag, 1: before = '', 2: value = '', index } of html.matchAll(linkTag)) {
    const url = unescapeAttribute(value);
    if (!isWebLink(url)) continue;
    pieces.push(html.slice(from, index) + before, { href: numberOf(url) });
    from = index + tag.length;
  }
  return from === html.length ? pieces : [...pieces, html.slice(from)];
}

const signs: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** What escapeAttribute did, undone. */
const unescapeAttribute = (value: string): string =>
  value.replace(/&(?:amp|lt|gt|quot);/g, (sign) => signs[sign]!);
