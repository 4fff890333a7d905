const delimiters = [',', ';', '\t'] as const;
export type Delimiter = (typeof delimiters)[number];

/** The delimiter that is most frequent in the header, outside quotes. A header of one column has none. */
export function sniffDelimiter(block: Buffer): Delimiter {
  const seen = new Map<string, number>(delimiters.map((one) => [one, 0]));
  let quoted = false;
  for (const character of block.toString('utf8').trimStart()) {
    if (character === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (character === '\n' || character === '\r') break;
    else if (seen.has(character)) seen.set(character, seen.get(character)! + 1);
  }
  return delimiters.reduce((most, one) => (seen.get(one)! > seen.get(most)! ? one : most));
}
