import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import { toMinorBound } from '../../kernel/money.ts';
import type { Condition } from '../segments/condition.ts';
import { everybody, whereMember, type PeopleQuery } from '../segments/filter-to-sql.ts';
import { isIdentified } from '../segments/person-to-sql.ts';

export interface PeopleFilter {
  readonly subscription_status?: string | undefined;
  readonly payment_processor?: string | undefined;
  readonly health_band?: string | undefined;
  readonly external_user_id?: string | undefined;
  readonly email?: string | undefined;
  readonly identified?: boolean | undefined;
  readonly mrr_gte?: number | undefined;
  readonly mrr_lte?: number | undefined;
  readonly ltv_gte?: number | undefined;
  readonly ltv_lte?: number | undefined;
  readonly created_after?: Date | undefined;
  readonly created_before?: Date | undefined;
  /** A segment's conditions. */
  readonly conditions?: readonly Condition[] | undefined;
}

/** The people a filter lets through, as a query still to be told what to select. */
export function filterPeople(work: Work, filter: PeopleFilter): PeopleQuery {
  const { currency } = work.caller;
  let query: PeopleQuery = work.db.selectFrom('people').where('people.org_id', '=', work.org);
  for (const column of ['subscription_status', 'payment_processor', 'health_band'] as const) {
    const wanted = filter[column];
    if (wanted !== undefined) query = query.where(column, '=', wanted);
  }
  if (filter.email !== undefined) query = query.where('primary_email', '=', filter.email);
  if (filter.external_user_id !== undefined) query = whereExternalId(work, query, filter.external_user_id);
  const { identified } = filter;
  if (identified !== undefined)
    query = query.where((eb) => (identified ? isIdentified(eb) : eb.not(isIdentified(eb))));
  for (const column of ['mrr', 'ltv'] as const) {
    const least = filter[`${column}_gte`];
    const greatest = filter[`${column}_lte`];
    if (least !== undefined) query = query.where(column, '>=', toMinorBound(least, currency, 'at_least'));
    if (greatest !== undefined)
      query = query.where(column, '<=', toMinorBound(greatest, currency, 'at_most'));
  }
  if (filter.created_after !== undefined) query = query.where('created_at', '>=', filter.created_after);
  if (filter.created_before !== undefined) query = query.where('created_at', '<=', filter.created_before);
  const { conditions } = filter;
  return conditions === undefined ? query : whereMember(work, query, conditions);
}

/** How many a filter lets through. Everyone is a kept sum; anything narrower is counted. */
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
