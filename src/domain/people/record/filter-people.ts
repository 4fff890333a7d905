import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import { toMinorBound } from '../../../kernel/money.ts';
import { fieldsOfPerson, fieldsWith } from '../../person-fields/fields.ts';
import type { Condition } from '../../filters/condition.ts';
import { everybody, whereMember, type PeopleQuery } from '../../filters/filter-to-sql.ts';
import { isIdentified } from '../../filters/person-to-sql.ts';

/** The fields that lists filter by value, and those that they filter by bounds. */
export const valueFilters = fieldsWith({ listFilter: 'value' });
export const boundFilters = fieldsWith({ listFilter: 'bounds' });
export type ValueFilter = (typeof valueFilters)[number];
export type BoundFilter = `${(typeof boundFilters)[number]}_${'gte' | 'lte'}`;

export interface PeopleFilter
  extends
    Readonly<Partial<Record<ValueFilter, string | undefined>>>,
    Readonly<Partial<Record<BoundFilter, number | undefined>>> {
  readonly external_user_id?: string | undefined;
  readonly email?: string | undefined;
  readonly identified?: boolean | undefined;
  readonly created_after?: Date | undefined;
  readonly created_before?: Date | undefined;
  /** A segment's conditions. */
  readonly conditions?: readonly Condition[] | undefined;
}

/** The people a filter lets through, as a query to which the caller adds what to select. */
export function filterPeople(work: Work, filter: PeopleFilter): PeopleQuery {
  const { currency } = work.caller;
  let query: PeopleQuery = work.db.selectFrom('people').where('people.org_id', '=', work.org);
  for (const field of valueFilters) {
    const wanted = filter[field];
    if (wanted !== undefined) query = query.where(fieldsOfPerson[field].column, '=', wanted);
  }
  if (filter.email !== undefined) query = query.where('primary_email', '=', filter.email);
  if (filter.external_user_id !== undefined) query = whereExternalId(work, query, filter.external_user_id);
  const { identified } = filter;
  if (identified !== undefined)
    query = query.where((eb) => (identified ? isIdentified(eb) : eb.not(isIdentified(eb))));
  for (const field of boundFilters) {
    const { column } = fieldsOfPerson[field];
    const least = filter[`${field}_gte`];
    const greatest = filter[`${field}_lte`];
    if (least !== undefined) query = query.where(column, '>=', toMinorBound(least, currency, 'at_least'));
    if (greatest !== undefined)
      query = query.where(column, '<=', toMinorBound(greatest, currency, 'at_most'));
  }
  if (filter.created_after !== undefined) query = query.where('created_at', '>=', filter.created_after);
  if (filter.created_before !== undefined) query = query.where('created_at', '<=', filter.created_before);
  const { conditions } = filter;
  return conditions === undefined ? query : whereMember(work, query, conditions);
}

/** How many people a filter lets through. Without a filter this is a stored sum; otherwise it counts. */
export async function countPeople(work: Work, filter: PeopleFilter): Promise<number> {
  if (Object.values(filter).every((wanted) => wanted === undefined)) {
    const { rows } = await sql<{ total: number }>`select ${everybody(work)} as total`.execute(work.db);
    return rows[0]!.total;
  }
  const { total } = await filterPeople(work, filter)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/** Found through the identifiers' unique index, so that people need no index of their own for it. */
const whereExternalId = (work: Work, query: PeopleQuery, value: string): PeopleQuery =>
  query
    .where('external_user_id', '=', value)
    .where('people.id', 'in', (eb) =>
      eb
        .selectFrom('identifiers')
        .select('person_id')
        .where('identifiers.org_id', '=', work.org)
        .where('type', '=', 'org_assigned_user_id')
        .where('value', '=', value),
    );
