import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import { fieldsOfPerson, fieldsWith, type NamesWith } from '../../person-fields/fields.ts';
import type { PeopleQuery } from '../../filters/filter-to-sql.ts';
import { summaryColumns, type SummaryRow } from './person.ts';

export const defaultSort = 'created_at';
export type SortField = NamesWith<{ readonly sorted: true }>;

const alwaysThere: ReadonlySet<SortField> = new Set(fieldsWith({ sorted: true, everybodyHas: true }));

/** The default first, then the fields that everyone has. */
export const sortFields: readonly SortField[] = [
  ...new Set([defaultSort, ...alwaysThere, ...fieldsWith({ sorted: true, everybodyHas: false })] as const),
];

export interface Page {
  readonly sort: SortField;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
}

/**
 * One page, with people without the sort field last in either order. Reads those with it and those without in two runs
 * over the same index: one ORDER BY over both would need a second index for each field, or a sort of all people.
 */
export async function readPage(work: Work, people: PeopleQuery, page: Page): Promise<SummaryRow[]> {
  if (alwaysThere.has(page.sort)) return readRun(work, people, page);
  const { column } = fieldsOfPerson[page.sort];
  const having = people.where(column, 'is not', null);
  const rows = await readRun(work, having, page);
  if (rows.length === page.limit) return rows;
  const passed = rows.length > 0 || page.offset === 0 ? page.offset + rows.length : await count(having);
  const rest = { ...page, limit: page.limit - rows.length, offset: Math.max(0, page.offset - passed) };
  return [...rows, ...(await readRun(work, people.where(column, 'is', null), rest))];
}

export const summary = sql.raw<SummaryRow>(summaryColumns.map((column) => `people.${column}`).join(', '));

/** Finds the page's ids in the index alone, however far in, and only then reads those people. */
async function readRun(work: Work, people: PeopleQuery, page: Page): Promise<SummaryRow[]> {
  const { column } = fieldsOfPerson[page.sort];
  const ids = people
    .select('people.id')
    .orderBy(`people.${column}`, page.order)
    .orderBy('people.id', page.order)
    .limit(page.limit)
    .offset(page.offset);
  const order = sql.raw(page.order);
  const { rows } = await sql<SummaryRow>`
    select ${summary} from people where people.org_id = ${work.org} and people.id = any(array(${ids}))
    order by ${sql.ref(`people.${column}`)} ${order}, people.id ${order}`.execute(work.db);
  return rows;
}

const count = async (people: PeopleQuery): Promise<number> =>
  (await people.select((eb) => eb.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()).n;
