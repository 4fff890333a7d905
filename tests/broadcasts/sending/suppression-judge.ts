import type { LedgerRow } from '../../support/ledger.ts';
import type { Mail } from '../../support/mail-server.ts';
import type { Fate, Reader } from './suppression-round.ts';

/** How somebody may end who did not get it: the reason in the ledger, or not being in it. */
const excuses: Readonly<Record<Fate, readonly string[]>> = {
  nothing: [],
  outsider: ['not in the ledger'],
  opts_out: ['skipped opted_out'],
  unsubscribes: ['skipped opted_out'],
  bounces: ['skipped bounced'],
  complains: ['skipped complained'],
  deleted: ['skipped deleted', 'not in the ledger'], // as a rule their rows have nobody any more
  leaves: ['skipped left_audience', 'not in the ledger'],
  enters: ['not in the ledger'],
  merged: ['not in the ledger'],
  merged_opted_out: ['not in the ledger'],
};

export interface Ended {
  readonly readers: readonly Reader[];
  readonly mails: readonly Mail[];
  readonly rows: readonly LedgerRow[];
  /** When sending began. */
  readonly began: number;
}

/** Everything that must not be, in words. */
export function violations({ readers, mails, rows, began }: Ended): string[] {
  const found: string[] = [];
  const mailsTo = Map.groupBy(mails, ({ to }) => to);
  const rowsOf = Map.groupBy(rows, ({ person_id }) => person_id);
  for (const row of rows) {
    if (row.state === 'uncertain' || row.state === 'failed') found.push(`${row.id} is ${outcomeOf([row])}`);
  }
  for (const reader of readers) {
    const { email, person, fate, answered, isEarly, into } = reader;
    const who = `${email} (${fate}, ${isEarly ? 'before' : 'during'})`;
    const got = mailsTo.get(email) ?? [];
    const outcome = outcomeOf(rowsOf.get(person));
    if (got.length > 1) found.push(`${who} got ${got.length}`);
    // Whoever suppresses waits for a message under way, so none is taken once that was answered.
    const late = got.find(({ ended }) => ended > answered);
    if (late !== undefined && fate !== 'enters') {
      found.push(`${who} was handed a message ${told(late, answered)}`);
    }
    if (into !== undefined) found.push(...judgeMerge(reader, into, mailsTo, rowsOf));
    else if (got.length === 1) {
      const isDetached =
        outcome === 'not in the ledger' && (fate === 'deleted' || isSurvivor(reader, readers));
      if (outcome !== 'sent' && !isDetached) found.push(`${who} got it, and the ledger says ${outcome}`);
    } else if (isSurvivor(reader, readers)) continue;
    else if (fate === 'enters' && answered < began)
      found.push(`${who} was in time and did not get it: ${outcome}`);
    else if (!excuses[fate].includes(outcome))
      found.push(`${who} did not get it, and the ledger says ${outcome}`);
  }
  return found;
}

/** A person may have two rows once it was merged: that one of them was sent says what became of the person. */
function outcomeOf(rows: readonly LedgerRow[] = []): string {
  const outcomes = rows.map(({ state, reason }) => [state, reason].filter(Boolean).join(' '));
  return outcomes.find((outcome) => outcome === 'sent') ?? outcomes[0] ?? 'not in the ledger';
}

const told = ({ began, ended }: Mail, answered: number): string =>
  `from ${(began - answered).toFixed(1)} to ${(ended - answered).toFixed(1)} ms after that was answered`;

const isSurvivor = (reader: Reader, readers: readonly Reader[]): boolean =>
  readers.some(({ into }) => into === reader);

/** Two became one: it got what either got before that; one who got nothing gets it once, unless either was opted out. */
function* judgeMerge(
  merged: Reader,
  into: Reader,
  mailsTo: ReadonlyMap<string, readonly Mail[]>,
  rowsOf: ReadonlyMap<string | null, readonly LedgerRow[]>,
): Generator<string> {
  const both = [...(mailsTo.get(merged.email) ?? []), ...(mailsTo.get(into.email) ?? [])];
  const outcome = outcomeOf(rowsOf.get(into.person));
  const isOptedOut = merged.fate === 'merged_opted_out';
  const mergedAt = isOptedOut ? into.answered : merged.answered;
  const who = `${merged.email} and ${into.email} (${merged.fate})`;
  const after = both.filter(({ ended }) => ended > mergedAt);
  if (isOptedOut && after.length > 0) yield `${who} opted out and got it ${told(after[0]!, mergedAt)}`;
  if (both.length > 1 && after.length > 0)
    yield `${who} got ${both.length}, one ${told(after[0]!, mergedAt)}`;
  if (both.length > 0 && outcome !== 'sent') yield `${who} got it, and the ledger says ${outcome}`;
  if (both.length > 0) return;
  if (isOptedOut && outcome === 'skipped opted_out') return;
  yield `${who} got nothing, and the ledger says ${outcome}`;
}
