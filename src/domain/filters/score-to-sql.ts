import { sql, type ExpressionBuilder, type SqlBool } from 'kysely';
import type { DB } from '../../database/tables.generated.ts';
import type { Truth } from './compare.ts';
import type { PersonTest } from './condition.ts';
import { leastEngagement } from './engagement-score.ts';

const column = 'people.engagement';

/** Whether a person's engagement score, a whole number from 0 to 100, meets a condition now. */
export function scoreToSql(
  eb: ExpressionBuilder<DB, 'people'>,
  { op, value }: PersonTest & { readonly type: 'number' },
  now: Date,
): Truth {
  const atLeast = (score: number): Truth => {
    if (score <= 0) return eb(column, 'is not', null);
    return score > 100 ? sql<SqlBool>`false` : eb(column, '>=', leastEngagement(score, now));
  };
  const below = (score: number): Truth => {
    if (score <= 0) return sql<SqlBool>`false`;
    return score > 100 ? eb(column, 'is not', null) : eb(column, '<', leastEngagement(score, now));
  };
  switch (op) {
    case 'gte':
      return atLeast(Math.ceil(value));
    case 'gt':
      return atLeast(Math.floor(value) + 1);
    case 'lt':
      return below(Math.ceil(value));
    case 'lte':
      return below(Math.floor(value) + 1);
    case 'eq':
      return Number.isInteger(value) ? eb.and([atLeast(value), below(value + 1)]) : sql<SqlBool>`false`;
    case 'neq':
      return Number.isInteger(value)
        ? eb.or([eb(column, 'is', null), below(value), atLeast(value + 1)])
        : sql<SqlBool>`true`;
  }
}
