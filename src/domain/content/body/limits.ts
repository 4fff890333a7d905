import type { Findings } from './findings.ts';

const mostBytes = 262_144;

// Tab and line ends are the only control characters a text has a use for. Half a surrogate pair cannot be stored, and
// U+FEFF is left over from a file: it would be text of its own before the first block.
const unsendable = /[[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\uFEFF]--[\t\n\r]]/v;
const everyUnsendable = new RegExp(unsendable, 'gv');

export const isTooLong = (source: string): boolean =>
  source.length * 3 > mostBytes && Buffer.byteLength(source) > mostBytes;

/** False when the source is too long to be checked any further. */
export function checkLength(source: string, findings: Findings): boolean {
  if (!isTooLong(source)) return true;
  const { read } = new TextEncoder().encodeInto(source, new Uint8Array(mostBytes));
  findings.add(read, 'too_long', 'A body is at most 256 KB (262,144 bytes). It is too long from here on.');
  return false;
}

export function checkCharacters(source: string, findings: Findings): void {
  for (const { index, 0: character } of source.matchAll(everyUnsendable)) {
    findings.add(index, 'control_character', `${nameOf(character)} cannot be sent. Remove it.`);
  }
}

/** Where a text, once its character references are resolved, holds what no source may hold; -1 for nowhere. */
export const findUnsendable = (text: string): number => text.search(unsendable);

const nameOf = (character: string): string =>
  `The character U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
