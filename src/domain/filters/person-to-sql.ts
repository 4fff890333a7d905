import { sql, type ExpressionBuilder, type SqlBool } from 'kysely';
import type { DB } from '../../database/tables.generated.ts';
import type { Work } from '../../database/work.ts';
import { toMinorBound } from '../../kernel/money.ts';
import { compare, containsText, type Truth } from './compare.ts';
import type { PersonTest } from './condition.ts';
import { columnOf, isMoney, type PersonField, type ServiceField } from './person-fields.ts';
import { scoreToSql } from './score-to-sql.ts';

export type PersonRow = ExpressionBuilder<DB, 'people'>;

/** Whether a row of people meets a condition on one of its columns. */
export function personToSql(eb: PersonRow, work: Work, field: PersonField, test: PersonTest): Truth {
  if (field === 'email_engagement_score') return scoreToSql(eb, test as NumberTest, work.now);
  const column = `people.${columnOf(field)}` as const;
  switch (test.op) {
    case 'is_empty':
      return eb(column, 'is', null);
    case 'is_not_empty':
      return eb(column, 'is not', null);
    case 'in':
      return eb(column, 'in', test.values);
    case 'contains':
      return containsText(eb.ref(column), test.value);
    default:
      if (isMoney(field)) return amountToSql(eb, column, test as NumberTest, work.caller.currency);
      // A person without a value counts as not equal.
      return test.op === 'neq'
        ? eb(column, 'is distinct from', test.value)
        : eb(column, compare[test.op], test.value);
  }
}

type NumberTest = PersonTest & { readonly type: 'number' };

/** Amounts are whole minor units: one that no whole unit equals lies between two of them. */
function amountToSql(
  eb: PersonRow,
  column: `people.${ReturnType<typeof columnOf>}`,
  { op, value }: NumberTest,
  currency: string,
): Truth {
  const below = toMinorBound(value, currency, 'at_most');
  const above = toMinorBound(value, currency, 'at_least');
  const isWhole = below === above;
  switch (op) {
    case 'eq':
      return isWhole ? eb(column, '=', below) : sql<SqlBool>`false`;
    case 'neq':
      return isWhole ? eb(column, '<>', below) : sql<SqlBool>`true`;
    case 'gt':
    case 'lte':
      return eb(column, compare[op], below);
    case 'gte':
    case 'lt':
      return eb(column, compare[op], above);
  }
}

/** The facts that only the service's own segments ask about. */
export const serviceToSql = (eb: PersonRow, work: Work, field: ServiceField): Truth =>
  field === 'identified' ? isIdentified(eb) : isOptedOut(eb, work);

export const isIdentified = (eb: PersonRow): Truth =>
  eb.or([
    eb('people.primary_email', 'is not', null),
    eb('people.first_name', 'is not', null),
    eb('people.last_name', 'is not', null),
  ]);

const isOptedOut = (eb: PersonRow, work: Work): Truth =>
  eb.exists(
    eb
      .selectFrom('opt_outs as o')
      .select('o.person_id')
      .where('o.org_id', '=', work.org)
      .whereRef('o.person_id', '=', 'people.id')
      .where((inner) => inner.or([inner('o.email_opt_out', '=', true), inner('o.sms_opt_out', '=', true)])),
  );
