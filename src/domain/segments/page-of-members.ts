import { sql } from 'kysely';
import { atOnce } from '../../database/planner.ts';
import type { Work } from '../../database/work.ts';
import type { Condition } from '../filters/condition.ts';
import { joins, memberIds, whereMember, type PeopleQuery } from '../filters/filter-to-sql.ts';
import { summary } from '../people/record/page-of-people.ts';
import type { SummaryRow } from '../people/record/person.ts';

interface Page {
  readonly limit: number;
  readonly offset: number;
}

const few = 2_000; // up to this many are fetched and sorted in no time
const dearer = 20; // testing people one by one costs this many times as much as testing all at once

/**
 * One page of the people who meet the conditions, newest first. Their number is known, and so how far back the page
 * reaches if members are spread evenly: the query leaves the planner, which would guess, no choice. Few members are
 * fetched by their ids. For many, the newest people are tested one by one, and more of them if those do not fill the
 * page; or all people are tested at once, if that is cheaper, and the members sorted.
 */
export async function readMembers(
  work: Work,
  conditions: readonly Condition[],
  { total, everybody }: { readonly total: number; readonly everybody: number },
  page: Page,
): Promise<SummaryRow[]> {
  const wanted = Math.min(page.limit, total - page.offset);
  if (wanted <= 0) return [];
  if (total <= few) {
    const ids = memberIds(work, conditions).select('people.id');
    return atOnce(work.db, () => readAmong(work, ids, page), joins(conditions));
  }
  const evenly = Math.ceil(((page.offset + wanted) / total) * everybody) + page.limit;
  for (let reach = evenly * 2; reach * dearer < everybody; reach *= 8) {
    const rows = await readAmong(work, newestOf(whereMember(work, newest(work, reach), conditions), page));
    if (rows.length === wanted) return rows;
  }
  // `offset 0` keeps the order and the limit outside from steering how members are found.
  const everyone = work.db.selectFrom('people').where('people.org_id', '=', work.org);
  const members = whereMember(work, everyone, conditions)
    .select(['people.id', 'people.created_at'])
    .offset(0);
  const found = work.db.selectFrom(members.as('people')) as unknown as PeopleQuery;
  return atOnce(work.db, () => readAmong(work, newestOf(found, page)), joins(conditions));
}

/** The newest `reach` people of the organization, aliased as `people`. */
const newest = (work: Work, reach: number): PeopleQuery =>
  work.db.selectFrom((eb) =>
    eb
      .selectFrom('people')
      .selectAll()
      .where('org_id', '=', work.org)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(reach)
      .as('people'),
  ) as unknown as PeopleQuery;

const newestOf = (people: PeopleQuery, { limit, offset }: Page) =>
  people
    .select('people.id')
    .orderBy('people.created_at', 'desc')
    .orderBy('people.id', 'desc')
    .limit(limit)
    .offset(offset);

/** The people with these ids, newest first; of all the ids that are given, a page. */
async function readAmong(
  work: Work,
  ids: ReturnType<typeof newestOf>,
  { limit, offset }: Page = { limit: few, offset: 0 },
): Promise<SummaryRow[]> {
  const { rows } = await sql<SummaryRow>`
    select ${summary} from people where org_id = ${work.org} and id = any(array(${ids}))
    order by created_at desc, id desc limit ${limit} offset ${offset}`.execute(work.db);
  return rows;
}
