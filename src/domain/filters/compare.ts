import { sql, type Expression, type SqlBool } from 'kysely';
import type { Comparison } from './condition.ts';

export type Truth = Expression<SqlBool>;

export const compare = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
} as const satisfies Record<Comparison, string>;

/** Without regard to case. The wildcards of LIKE stand for themselves. */
export const containsText = (column: Expression<unknown>, value: string): Truth =>
  sql<SqlBool>`fold_text(${column}) like '%' || fold_text(${value.replaceAll(/[\\%_]/g, '\\$&')}) || '%'`;
