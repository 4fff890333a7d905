import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

// Leaves room for a prefix: a selector with its _domainkey is the longest.
const longest = 200;
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
// The converter would also take escapes, ports and paths, and drop what follows.
const notInNames = /[^a-z0-9.\-\u{80}-\u{10ffff}]/iu;

/** A domain as DNS is asked for it: lower case ASCII, at least two labels. Undefined if mail cannot come from it. */
export function toDomainName(text: string): string | undefined {
  if (text.length > longest || notInNames.test(text)) return undefined;
  const name = domainToASCII(text);
  const labels = name.split('.');
  if (name.length > longest || labels.length < 2 || isIP(name) !== 0) return undefined;
  return labels.every((one) => label.test(one)) ? name : undefined;
}

const mostLabelsAbove = 7;

/** A name and those above it that have two labels or more. Of a very deep name the middle is left out, as in DMARC. */
export function withParents(name: string): string[] {
  const labels = name.split('.');
  return labels
    .slice(0, -1)
    .map((_, depth) => labels.slice(depth))
    .filter((rest, depth) => depth === 0 || rest.length <= mostLabelsAbove)
    .map((rest) => rest.join('.'));
}
