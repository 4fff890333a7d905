import { sql, type RawBuilder } from 'kysely';
import { atOnce } from '../../database/at-once.ts';
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

const few = 2_000; // so many are collected and sorted in no time
const dearer = 20; // asking people one by one costs so many times what asking all at once costs

/**
 * One page of the people who meet the conditions, newest first. How many those are is known by now, and so how far back
 * the page reaches, if members are spread evenly: the planner, which would guess, is left no choice. The newest so many
 * are asked one by one, and more of them should those not do; or everybody is asked at once, if that is cheaper, and
 * what is found is sorted.
 */
export async function readMembers(
  work: Work,
  conditions: readonly Condition[],
  total: number,
  page: Page,
): Promise<SummaryRow[]> {
  const wanted = Math.min(page.limit, total - page.offset);
  if (wanted <= 0) return [];
  const truth = conditionsToSql(work, conditions);
  const everybody = total < few ? total : await countPeople(work, {});
  const evenly = Math.ceil(((page.offset + wanted) / total) * everybody) + page.limit;
  for (let reach = evenly * 2; reach * dearer < everybody; reach *= 8) {
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
  return atOnce(work.db, () =>
    readPage(
      work,
      page,
      sql`select id, created_at from people where org_id = ${work.org} and ${truth} offset 0`,
    ),
  );
}

async function readPage(work: Work, page: Page, members: RawBuilder<unknown>): Promise<SummaryRow[]> {
  const { rows } = await sql<SummaryRow>`
    select ${summary} from people
    where org_id = ${work.org} and id = any(array(
      select id from (${members}) members order by created_at desc, id desc
      limit ${page.limit} offset ${page.offset}))
    order by created_at desc, id desc`.execute(work.db);
  return rows;
}
