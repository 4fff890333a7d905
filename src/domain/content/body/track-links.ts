import type { Compiled, TrackedPiece, TrackedPieces } from './body.ts';
import { isWebLink } from '../../../kernel/link.ts';

/** Where a link leads: to a fixed address, or to the person's value of a placeholder. */
export type TrackedLink = { readonly url: string } | { readonly placeholder: string };

// We wrote these tags ourselves: < begins one and nothing else, attributes stand in double quotes, and no quote is in
// their values. A text that reads href="…" has no <a before it.
const linkTag = /(<a(?: [a-z]+="[^"]*")*?) href="([^"]*)"/g;

/**
 * Gives every web link of a body its number, which is its place in `links`. One destination has one number however
 * often it is linked to. Mail and telephone links stay as they are: they do not pass through the service.
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

function cutAtLinks(html: string, numberOf: (url: string) => number): readonly TrackedPiece[] {
  const pieces: TrackedPiece[] = [];
  let from = 0;
  for (const { 0: tag, 1: before = '', 2: value = '', index } of html.matchAll(linkTag)) {
    const url = unescapeAttribute(value);
    if (!isWebLink(url)) continue;
    const written = tag.slice(before.length);
    pieces.push(html.slice(from, index) + before, { href: numberOf(url), written });
    from = index + tag.length;
  }
  return from === html.length ? pieces : [...pieces, html.slice(from)];
}

const signs: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** Reverses escapeAttribute. */
const unescapeAttribute = (value: string): string =>
  value.replace(/&(?:amp|lt|gt|quot);/g, (sign) => signs[sign]!);
