import { toSnakeCase } from '../../properties/property-config.ts';

/**
 * Finds the existing key most like an unknown one, by the pairs of neighboring letters they share. Counting the edits
 * between them took 20 s for a hundred columns and three hundred keys, all of a hundred letters; this takes 0.1 s.
 */
export function closestKeyFinder(keys: readonly string[]): (key: string) => string | undefined {
  const known = keys.map((key) => ({ key, pairs: pairsOf(key) }));
  return (wanted) => {
    const pairs = pairsOf(wanted);
    let closest: string | undefined;
    let most = -1;
    for (const one of known) {
      const alike = likeness(pairs, one.pairs);
      if (alike > most) [closest, most] = [one.key, alike];
    }
    return closest;
  };
}

/** The ends count as letters, so that short keys have pairs to share. */
function pairsOf(key: string): Set<string> {
  const text = `^${toSnakeCase(key)}$`;
  return new Set(Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2)));
}

function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const pair of one) if (other.has(pair)) shared++;
  return (2 * shared) / (one.size + other.size);
}
