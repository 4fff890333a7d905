const yes: ReadonlySet<string> = new Set(['true', 'yes', '1']);
const no: ReadonlySet<string> = new Set(['false', 'no', '0']);

/**
 * Whether a consent cell opts its person out; undefined if unclear. Yes and no answer the column's question;
 * `subscribed` and `unsubscribed` mean the same in either column.
 */
export function readConsent(cell: unknown, column: 'subscribed' | 'unsubscribed'): boolean | undefined {
  if (typeof cell !== 'string' && typeof cell !== 'number' && typeof cell !== 'boolean') return undefined;
  const word = String(cell).trim().toLowerCase();
  if (word === 'unsubscribed') return true;
  if (word === 'subscribed') return false;
  if (yes.has(word)) return column === 'unsubscribed';
  if (no.has(word)) return column === 'subscribed';
  return undefined;
}
