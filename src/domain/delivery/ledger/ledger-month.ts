import { sql, type RawBuilder } from 'kysely';

// As in the database: the bits above the lower 40 of an id are its month (0002-months.sql).
const idsOfMonth = 2 ** 40;

/**
 * The next ledger id in the month of a moment. All rows of a broadcast use the month in which it began, because the
 * unique index that admits a person once per broadcast exists for each month separately.
 */
export const nextIdIn = (at: Date): RawBuilder<number> =>
  sql`first_number_of_month(${at}::timestamptz) + nextval('delivery_ids')`;

/** Bounds a query to the months of these ids, so that no other partition is scanned. */
export function inMonthsOf(column: string, ids: readonly number[]): RawBuilder<boolean> {
  const months = ids.map((id) => Math.floor(id / idsOfMonth));
  return betweenMonths(column, Math.min(...months), Math.max(...months));
}

/** Bounds a query to the month of a moment, which the planner then knows: a month that it need not look at costs it. */
export function inMonthOf(column: string, at: Date): RawBuilder<boolean> {
  const month = (at.getUTCFullYear() - 2000) * 12 + at.getUTCMonth();
  return betweenMonths(column, month, month);
}

const betweenMonths = (column: string, first: number, last: number): RawBuilder<boolean> => {
  const of = sql.ref(column);
  return sql`${of} >= ${first * idsOfMonth} and ${of} < ${(last + 1) * idsOfMonth}`;
};

/**
 * Restricts a table to ids that were claimed together, which are close to each other. Their range is given as well:
 * while statistics are from before a broadcast began, the planner would rather read all rows of the organization.
 */
export const amongClaimed = (column: string, ids: readonly number[]): RawBuilder<boolean> => {
  const of = sql.ref(column);
  return sql`${of} = any(${ids}::bigint[]) and ${of} >= ${Math.min(...ids)} and ${of} <= ${Math.max(...ids)}`;
};

/**
 * Restricts a table to the ids that a CTE of the statement found. The ids are known before the table is scanned, so
 * months outside their range are skipped; a join would scan all months while they are small.
 */
export const amongIds = (column: string, part: string, id = 'id'): RawBuilder<boolean> => {
  const [of, found] = [sql.ref(column), sql.ref(id)];
  const from = sql.ref(part);
  return sql`${of} = any(array(select ${found} from ${from}))
    and ${of} between (select min(${found}) from ${from}) and (select max(${found}) from ${from})`;
};
