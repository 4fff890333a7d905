import { expressionBuilder, sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import type { DB } from '../../database/tables.generated.ts';
import type { Work } from '../../database/work.ts';
import { longestInPage } from '../properties/property-place.ts';
import { compare, containsText, type Truth } from './compare.ts';
import type { Condition } from './condition.ts';

export type PropertyCondition = Condition & { readonly on: 'property' };
type PageRow = ExpressionBuilder<DB & { p: DB['property_pages'] }, 'p'>;

/** Whether a row of property_pages meets a condition on one of its columns. */
export function propertyToSql(work: Work, { config, place, hasLongTexts, test }: PropertyCondition): Truth {
  const eb: PageRow = expressionBuilder<DB & { p: DB['property_pages'] }, 'p'>();
  const column = `p.${place.column}` as const;
  const stored = (meets: (text: Expression<unknown>) => Truth): Truth =>
    eb.exists(
      eb
        .selectFrom('property_values as v')
        .select('v.person_id')
        .where('v.org_id', '=', work.org)
        .whereRef('v.person_id', '=', 'p.person_id')
        .where('v.config_id', '=', config)
        .where((inner) => meets(inner.ref('v.text_value'))),
    );
  // A page holds only a key of a text that is too long for it; the text itself is among the stored values.
  const isText = (value: string): Truth =>
    Buffer.byteLength(value) <= longestInPage
      ? eb(column, '=', value)
      : eb.and([
          eb(column, '=', sql<string>`text_key(${value})`),
          stored((text) => sql<SqlBool>`${text} = ${value}`),
        ]);
  switch (test.op) {
    case 'is_empty':
      return eb(column, 'is', null);
    case 'is_not_empty':
      return eb(column, 'is not', null);
    case 'in':
      return eb.or(test.values.map(isText));
    case 'contains':
      if (!hasLongTexts) return containsText(eb.ref(column), test.value);
      return eb
        .case()
        .when(column, 'is', null)
        .then(sql<SqlBool>`false`)
        .when(sql<SqlBool>`octet_length(${eb.ref(column)}) <= ${longestInPage}`)
        .then(containsText(eb.ref(column), test.value))
        .else(stored((text) => containsText(text, test.value)))
        .end();
    case 'neq': // also matches people without a value
      return test.type === 'text' && Buffer.byteLength(test.value) > longestInPage
        ? eb.or([eb(column, 'is', null), eb.not(isText(test.value))])
        : eb(column, 'is distinct from', test.value);
    default:
      return test.type === 'text' ? isText(test.value) : eb(column, compare[test.op], test.value);
  }
}

/** Whether people without any value on the page meet the condition, too. */
export const holdsWithoutValue = ({ test }: PropertyCondition): boolean =>
  test.op === 'neq' || test.op === 'is_empty';
