import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import type { PeopleQuery } from '../segments/filter-to-sql.ts';
import { summaryColumns, type SummaryRow } from './person.ts';

export const sortFields = [
  'created_at',
  'mrr',
  'ltv',
  'first_name',
  'last_name',
  'primary_email',
  'last_opened_at',
  'last_clicked_at',
] as const;
export type SortField = (typeof sortFields)[number];

export interface Page {
  readonly sort: SortField;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
}

const alwaysThere: ReadonlySet<SortField> = new Set(['created_at', 'mrr', 'ltv']);

/**
 * One page, people without the sort field last in either order. Those with it and those without are two runs through
 * the same index: one ORDER BY over both would need a second index for each field, or a sort of everybody.
 */
export async function readPage(work: Work, people: PeopleQuery, page: Page): Promise<SummaryRow[]> {
  if (alwaysThere.has(page.sort)) return readRun(work, people, page);
  const having = people.where(page.sort, 'is not', null);
  const rows = await readRun(work, having, page);
  if (rows.length === page.limit) return rows;
  const passed = rows.length > 0 || page.offset === 0 ? page.offset + rows.length : await count(having);
  const rest = { ...page, limit: page.limit - rows.length, offset: Math.max(0, page.offset - passed) };
  return [...rows, ...(await readRun(work, people.where(page.sort, 'is', null), rest))];
}

export const summary = sql.raw<SummaryRow>(summaryColumns.map((column) => `people.${column}`).join(', '));

/** Finds the page's ids in the index alone, however far in, and only then reads those people. */
async function readRun(work: Work, people: PeopleQuery, page: Page): Promise<SummaryRow[]> {
  const ids = people
    .select('people.id')
    .orderBy(`people.${page.sort}`, page.order)
    .orderBy('people.id', page.order)
    .limit(page.limit)
    .offset(page.offset);
  const order = sql.raw(page.order);
  const { rows } = await sql<SummaryRow>`
    select ${summary} from people where people.org_id = ${work.org} and people.id = any(array(${ids}))
    order by ${sql.ref(`people.${page.sort}`)} ${order}, people.id ${order}`.execute(work.db);
  return rows;
}

const count = async (people: PeopleQuery): Promise<number> =>
  (await people.select((eb) => eb.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()).n;
