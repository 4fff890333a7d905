/** Holds the ledger against the results: where each rule stands, area by area. */
import { areaOf, type Ledger } from './ledger.ts';
import type { Results } from './results.ts';

export type AreaTally = {
  area: string;
  title: string;
  rules: number;
  proven: string[];
  failing: string[];
  waiting: { id: string; reason: string }[];
  missing: string[];
};

/** A rule is proven when a test naming it passed and none naming it failed. */
export function tally(ledger: Ledger, results: Results): AreaTally[] {
  const tallies = new Map<string, AreaTally>();
  for (const [area, title] of ledger.areas) {
    const empty = { rules: 0, proven: [], failing: [], waiting: [], missing: [] };
    tallies.set(area, { area, title, ...empty });
  }
  for (const id of ledger.rules) {
    const entry = tallies.get(areaOf(id));
    if (entry === undefined) continue;
    const reason = ledger.waiting.get(id);
    entry.rules += 1;
    if (results.failed.has(id)) entry.failing.push(id);
    else if (results.passed.has(id)) entry.proven.push(id);
    else if (reason !== undefined) entry.waiting.push({ id, reason });
    else entry.missing.push(id);
  }
  return [...tallies.values()];
}

/** What is wrong with the ledger or the test titles themselves, whatever the counts say. */
export function contradictions(ledger: Ledger, results: Results): string[] {
  const errors = [...ledger.errors, ...results.errors];
  for (const [id, title] of results.named) {
    if (!ledger.rules.has(id)) errors.push(`unknown rule ${id} is named by test "${title}"`);
  }
  for (const id of ledger.waiting.keys()) {
    if (results.passed.has(id) && !results.failed.has(id)) {
      errors.push(`${id} is proven, yet still listed under Waiting: take that line out`);
    }
  }
  return errors;
}

/** An area is whole when each of its rules is proven or waits. */
export const isWhole = (entry: AreaTally): boolean =>
  entry.missing.length === 0 && entry.failing.length === 0;
