import { expressionBuilder, sql, type SelectQueryBuilder, type SqlBool } from 'kysely';
import { atOnce } from '../../database/planner.ts';
import type { DB } from '../../database/tables.generated.ts';
import type { Work } from '../../database/work.ts';
import type { Truth } from './compare.ts';
import type { Condition } from './condition.ts';
import { personToSql, serviceToSql, type PersonRow } from './person-to-sql.ts';
import { holdsWithoutValue, propertyToSql, type PropertyCondition } from './property-to-sql.ts';

/** A query over people that has no columns yet. */
export type PeopleQuery = SelectQueryBuilder<DB, 'people', object>;

/**
 * Narrows people to those who meet every condition. Values from callers become parameters. Pages are joined instead of
 * tested by EXISTS: a person has one row on a page, so the result is equal, and PostgreSQL may begin with either side.
 */
export function whereMember(work: Work, people: PeopleQuery, conditions: readonly Condition[]): PeopleQuery {
  const { onPerson, pages } = sortOut(conditions);
  const met = people.where(every(onPerson.map((condition) => conditionToSql(work, condition))));
  return pages.reduce((query, page) => wherePage(work, query, page), met);
}

/** The ids of all people who meet every condition. Conditions on properties alone are answered from their pages. */
export function memberIds(work: Work, conditions: readonly Condition[]): PeopleQuery {
  const { onPerson, pages } = sortOut(conditions);
  const base = onPerson.length === 0 ? pages.find(asksForValues) : undefined;
  if (base === undefined) {
    return whereMember(work, work.db.selectFrom('people').where('people.org_id', '=', work.org), conditions);
  }
  const ids = rowsOf(work, base).select('p.person_id as id').where(meets(work, base));
  const found = work.db.selectFrom(ids.as('people')) as unknown as PeopleQuery;
  return pages.filter((page) => page !== base).reduce((query, page) => wherePage(work, query, page), found);
}

/** How many meet every condition, and how many people there are. */
export async function countMembers(
  work: Work,
  conditions: readonly Condition[],
): Promise<{ total: number; everybody: number }> {
  const counted = memberIds(work, conditions).select([
    sql<number>`count(*)`.as('total'),
    everybody(work).as('everybody'),
  ]);
  return atOnce(work.db, () => counted.executeTakeFirstOrThrow(), joins(conditions));
}

/** How many people the organization has: a kept sum of steps (ADR 4). */
export const everybody = (work: Work) =>
  sql<number>`(select coalesce(sum(step), 0)::bigint from people_counts where org_id = ${work.org})`;

/** Whether the query reads more than one table. */
export function joins(conditions: readonly Condition[]): boolean {
  const { onPerson, pages } = sortOut(conditions);
  return pages.length > (onPerson.length === 0 && pages.some(asksForValues) ? 1 : 0);
}

/** The conditions on one page of properties. */
type PageConditions = readonly [PropertyCondition, ...PropertyCondition[]];

function sortOut(conditions: readonly Condition[]): {
  onPerson: Exclude<Condition, PropertyCondition>[];
  pages: PageConditions[];
} {
  const pages = new Map<number, [PropertyCondition, ...PropertyCondition[]]>();
  const onPerson: Exclude<Condition, PropertyCondition>[] = [];
  for (const condition of conditions) {
    if (condition.on !== 'property') {
      onPerson.push(condition);
      continue;
    }
    const page = pages.get(condition.place.page);
    if (page === undefined) pages.set(condition.place.page, [condition]);
    else page.push(condition);
  }
  return { onPerson, pages: [...pages.values()] };
}

function conditionToSql(work: Work, condition: Exclude<Condition, PropertyCondition>): Truth {
  const eb: PersonRow = expressionBuilder<DB, 'people'>();
  if (condition.on === 'nobody') return sql<SqlBool>`false`;
  if (condition.on === 'service') return serviceToSql(eb, work, condition.field);
  return personToSql(eb, work, condition.field, condition.test);
}

/**
 * A person without a row on a page has none of its values. If a condition requires a value, a row must exist that meets
 * all conditions; if none does, no row may exist that fails one.
 */
function wherePage(work: Work, query: PeopleQuery, page: PageConditions): PeopleQuery {
  const person = sql.ref<string>('people.id');
  const rows = rowsOf(work, page).select('p.person_id');
  if (!asksForValues(page)) {
    const failing = rows.where('p.person_id', '=', person).where((eb) => eb.not(meets(work, page)));
    return query.where((eb) => eb.not(eb.exists(failing)));
  }
  const alias = `page_${page[0].place.page}`;
  return query.innerJoin(rows.where(meets(work, page)).as(alias), (join) =>
    join.on(sql.ref(`${alias}.person_id`), '=', person),
  ) as unknown as PeopleQuery;
}

const rowsOf = (work: Work, [{ place }]: PageConditions) =>
  work.db.selectFrom('property_pages as p').where('p.org_id', '=', work.org).where('p.page', '=', place.page);

const meets = (work: Work, page: PageConditions): Truth =>
  every(page.map((condition) => propertyToSql(work, condition)));

const asksForValues = (page: PageConditions): boolean => !page.every(holdsWithoutValue);

const every = (truths: readonly Truth[]): Truth => expressionBuilder<DB, never>().and(truths);
