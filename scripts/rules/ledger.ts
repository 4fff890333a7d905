/** Reads the rule ledger: its areas, its rules and the rules that wait for a later part. */

export type Ledger = {
  /** Area code to title, in the ledger's order; an area may hold no rule of its own. */
  areas: Map<string, string>;
  /** Rule ids in the ledger's order. */
  rules: Set<string>;
  /** Rule id to what it waits for. */
  waiting: Map<string, string>;
  errors: string[];
};

const AREA = /^## ([A-Z]{3}): (.+)$/;
const RULE = /^- \*\*([A-Z]{3}-\d{3})\*\* \((s[\d.]+)\) /;
const WAITING = /^- \*\*([A-Z]{3}-\d{3})\*\* waits for: (.+?)\.?$/;

export const areaOf = (id: string): string => id.slice(0, 3);

export function readLedger(text: string): Ledger {
  const ledger: Ledger = { areas: new Map(), rules: new Set(), waiting: new Map(), errors: [] };
  let heading = '';
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('## ')) {
      heading = line;
      const [, code, title] = AREA.exec(line) ?? [];
      if (code !== undefined && title !== undefined) ledger.areas.set(code, title);
    } else if (heading === '## Waiting') {
      readWaitingLine(line, ledger);
    } else {
      readRuleLine(line, ledger);
    }
  }
  for (const id of ledger.waiting.keys()) {
    if (!ledger.rules.has(id)) ledger.errors.push(`${id} is listed under Waiting but is no rule`);
  }
  return ledger;
}

function readRuleLine(line: string, { areas, rules, errors }: Ledger): void {
  const id = RULE.exec(line)?.[1];
  if (id === undefined) return;
  if (rules.has(id)) errors.push(`${id} stands twice in the ledger`);
  if (!areas.has(areaOf(id))) errors.push(`${id} stands before any heading of its area`);
  rules.add(id);
}

// Every list item of the section must be readable: a mistyped line would otherwise turn a waiting
// rule into a missing one without a word.
function readWaitingLine(line: string, { waiting, errors }: Ledger): void {
  if (!line.startsWith('- ')) return;
  const [, id, reason] = WAITING.exec(line) ?? [];
  if (id === undefined || reason === undefined) errors.push(`unreadable waiting line: ${line}`);
  else if (waiting.has(id)) errors.push(`${id} is listed twice under Waiting`);
  else waiting.set(id, reason);
}
