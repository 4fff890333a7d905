import { expressionBuilder, sql, type SqlBool } from 'kysely';
import { atOnce } from '../../database/at-once.ts';
import type { DB } from '../../database/tables.generated.ts';
import type { Work } from '../../database/work.ts';
import type { Truth } from './compare.ts';
import type { Condition } from './condition.ts';
import { personToSql, serviceToSql, type PersonRow } from './person-to-sql.ts';
import { holdsWithoutValue, propertyToSql, type PageRow, type PropertyCondition } from './property-to-sql.ts';

/** Whether a row called `people` meets every condition. Everything a caller sent goes in as a parameter. */
export function conditionsToSql(work: Work, conditions: readonly Condition[]): Truth {
  const { onPerson, pages } = sortOut(conditions);
  return every([
    ...onPerson.map((condition) => conditionToSql(work, condition)),
    ...pages.map((page) => pageToSql(work, page)),
  ]);
}

/** How many people meet every condition. When properties alone are asked about, their pages tell. */
export async function countMembers(work: Work, conditions: readonly Condition[]): Promise<number> {
  const { onPerson, pages } = sortOut(conditions);
  const base = onPerson.length === 0 ? pages.find(asksForValues) : undefined;
  const rest = pages.filter((page) => page !== base);
  const members =
    base === undefined
      ? work.db
          .selectFrom('people')
          .where('people.org_id', '=', work.org)
          .where(() => conditionsToSql(work, conditions))
      : work.db
          .selectFrom(rowsOf(work, base).select('p.person_id as id').where(meets(work, base)).as('people'))
          .where(() => every(rest.map((page) => pageToSql(work, page))));
  const count = () => members.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  const { total } = await (joins(conditions) ? atOnce(work.db, count) : count());
  return total;
}

/** Whether more than one table is asked. */
function joins(conditions: readonly Condition[]): boolean {
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
  return personToSql(eb, condition.field, condition.test, work.caller.currency);
}

/** Somebody without a row on a page has none of its values: asked for one, a row must be there that meets all
 * conditions; asked only for the lack of some, there must be none that fails one. */
function pageToSql(work: Work, page: PageConditions): Truth {
  const eb: PageRow = expressionBuilder<DB & { p: DB['property_pages'] }, 'p'>();
  const rows = rowsOf(work, page)
    .select('p.person_id')
    .where('p.person_id', '=', sql.ref<string>('people.id'));
  return asksForValues(page)
    ? eb.exists(rows.where(meets(work, page)))
    : eb.not(eb.exists(rows.where(eb.not(meets(work, page)))));
}

const rowsOf = (work: Work, [{ place }]: PageConditions) =>
  work.db.selectFrom('property_pages as p').where('p.org_id', '=', work.org).where('p.page', '=', place.page);

const meets = (work: Work, page: PageConditions): Truth =>
  every(page.map((condition) => propertyToSql(work, condition)));

const asksForValues = (page: PageConditions): boolean => !page.every(holdsWithoutValue);

const every = (truths: readonly Truth[]): Truth => expressionBuilder<DB, never>().and(truths);
