/** Reads vitest's JSON report: which rules the test titles name, and how those tests ended. */
import { z } from 'zod';

export type Results = {
  /** Rules named by at least one passing test. */
  passed: Set<string>;
  /** Rules named by at least one failing test; such a rule may stand in `passed` too. */
  failed: Set<string>;
  /** Every rule id named by any test, skipped ones included, with one title that names it. */
  named: Map<string, string>;
  errors: string[];
};

const report = z.object({
  testResults: z.array(
    z.object({
      assertionResults: z.array(z.object({ title: z.string(), status: z.string() })),
    }),
  ),
});

const ID = /^[A-Z]{3}-\d{3}[,:]?$/;
// Begins like an id, yet is none: a range such as AUT-002..AUT-005. A longer number (ISO-8601) is
// an ordinary word.
const NEARLY_ID = /^[A-Z]{3}-\d{3}(?!\d)/;

export function readResults(json: string): Results {
  const results: Results = { passed: new Set(), failed: new Set(), named: new Map(), errors: [] };
  for (const file of report.parse(JSON.parse(json)).testResults) {
    for (const { title, status } of file.assertionResults) {
      const { ids, unreadable } = ruleIds(title);
      if (unreadable !== undefined) {
        results.errors.push(`cannot read "${unreadable}" in test "${title}": name each rule by itself`);
      }
      for (const id of ids) {
        results.named.set(id, title);
        if (status === 'passed') results.passed.add(id);
        if (status === 'failed') results.failed.add(id);
      }
    }
  }
  return results;
}

/** The rule ids a title begins with; ids further on are part of the sentence and prove nothing. */
function ruleIds(title: string): { ids: Set<string>; unreadable: string | undefined } {
  const ids = new Set<string>();
  for (const word of title.trim().split(/\s+/)) {
    if (ID.test(word)) ids.add(word.slice(0, 7));
    else return { ids, unreadable: NEARLY_ID.test(word) ? word : undefined };
  }
  return { ids, unreadable: undefined };
}
