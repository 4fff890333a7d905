import { sql, type RawBuilder } from 'kysely';
import type { Work } from '../../database/work.ts';
import type { Condition } from '../segments/condition.ts';
import { conditionsToSql } from '../segments/filter-to-sql.ts';
import { countPeople } from './filter-people.ts';
import { summary } from './page-of-people.ts';
import type { SummaryRow } from './person.ts';

interface Page {
  readonly limit: number;
  readonly offset: number;
}

const spread = 1.5; // members are not spread evenly over time
const dearer = 20; // asking people one by one costs so many times what asking all at once costs

/**
 * One page of the people who meet the conditions, newest first. How many those are is known by now, and so how far back
 * the page reaches: the planner, which would guess, is left no choice. Either the newest so many are asked one by one,
 * or everybody is asked at once and what is found is sorted.
 */
export async function readMembers(
  work: Work,
  conditions: readonly Condition[],
  total: number,
  page: Page,
): Promise<SummaryRow[]> {
  const wanted = Math.min(page.limit, total - page.offset);
  if (wanted <= 0) return [];
  const everybody = await countPeople(work, {});
  const reach = Math.ceil(((page.offset + wanted) / total) * everybody * spread) + page.limit;
  const truth = conditionsToSql(work, conditions);
  if (reach * dearer < everybody) {
    const rows = await readPage(
      work,
      page,
      sql`select id, created_at from (
        select * from people where org_id = ${work.org} order by created_at desc, id desc limit ${reach}
      ) people where ${truth}`,
    );
    if (rows.length === wanted) return rows;
  }
  // `offset 0` keeps the order and the limit outside from steering how members are found.
  return readPage(
    work,
    page,
    sql`select id, created_at from people where org_id = ${work.org} and ${truth} offset 0`,
  );
}

async function readPage(work: Work, page: Page, members: RawBuilder<unknown>): Promise<SummaryRow[]> {
  const { rows } = await sql<SummaryRow>`
    select ${summary}
    from (select * from (${members}) members order by created_at desc, id desc
      limit ${page.limit} offset ${page.offset}) page
    join people on people.org_id = ${work.org} and people.id = page.id
    order by page.created_at desc, page.id desc`.execute(work.db);
  return rows;
}
