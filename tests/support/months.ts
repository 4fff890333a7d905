import type { World } from './world.ts';

type Admin = Pick<World, 'admin'>;

/** As the owner of the tables, who alone makes a month by hand and drops one. */
async function asOwner<Row extends object>(
  { admin }: Admin,
  question: string,
  values: unknown[] = [],
): Promise<Row[]> {
  await admin.query('begin; set local role rostrum_owner');
  try {
    const { rows } = await admin.query<Row>(question, values);
    await admin.query('commit');
    return rows;
  } catch (error) {
    await admin.query('rollback');
    throw error;
  }
}

export const makeMonth = (world: Admin, table: string, at: string): Promise<object[]> =>
  asOwner(world, 'select make_month($1, $2)', [table, at]);

export const dropMonth = (world: Admin, table: string, at: string): Promise<object[]> =>
  asOwner(world, 'select drop_month($1, $2)', [table, at]);

/** In which partitions the rows of an organization are, and how many. */
export async function partsOf({ admin }: Admin, table: string, org: string): Promise<Record<string, number>> {
  const { rows } = await admin.query<{ part: string; rows: number }>(
    `select tableoid::regclass::text as part, count(*)::int as rows from ${table} where org_id = $1 group by 1 order by 1`,
    [org],
  );
  return Object.fromEntries(rows.map(({ part, rows: count }) => [part, count]));
}

/** The name of the part that a moment's rows are in. */
export const partAt = (table: string, at: Date): string =>
  `${table}_${at.toISOString().slice(0, 7).replace('-', '_')}`;
