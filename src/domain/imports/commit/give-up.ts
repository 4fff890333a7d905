import { sql } from 'kysely';
import { TryAgain } from '../../../database/org-transaction.ts';
import type { Work } from '../../../database/work.ts';
import type { AppliedRows } from './apply-rows.ts';
import { unexpected } from '../record/left-out.ts';
import type { StagedRow } from '../record/staged-row.ts';

// Values or keys that do not fit, limits of the database, and refusals by its triggers. A lost connection or a deadlock
// is not among them, and is retried.
const ofTheRows = new Set(['21', '22', '23', '54', 'P0']);
// Conflicts with other transactions at every try.
const ofTheirNumber = new Set(['40001', '40P01']);
const tooLong = '57014'; // a row this slow by itself would be so for ever, and block those behind it

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code);

/** Whether a retry of the same rows would fail the same way. */
const isRefusal = (error: unknown): boolean =>
  ofTheRows.has(codeOf(error).slice(0, 2)) || codeOf(error) === tooLong;

/** Whether fewer rows may succeed where these did not. */
export const shouldSplit = (error: unknown): boolean =>
  isRefusal(error) || error instanceof TryAgain || ofTheirNumber.has(codeOf(error));

/**
 * The last try: what the database refuses now is recorded as failed. The same transaction tries and gives up, so that
 * no other can have taken these rows in between.
 */
export async function applyOrGiveUp(
  { db }: Work,
  rows: readonly StagedRow[],
  apply: () => Promise<AppliedRows>,
): Promise<AppliedRows> {
  await sql`savepoint last_try`.execute(db);
  try {
    return await apply();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await sql`rollback to savepoint last_try`.execute(db);
    return {
      taken: rows.length,
      leftOut: rows.map(({ row }) => unexpected(row, codeOf(error))),
      created: 0,
      merged: 0,
      optedOut: 0,
    };
  }
}
