import type { Asked } from './count-queries.ts';

/** The SQL of an operation as a reviewer reads it, with what it costs above it. */
export function toSnapshot(name: string, { statements, buffers }: Asked): string {
  const total = Object.values(buffers).reduce((sum, n) => sum + n, 0);
  const tables = Object.entries(buffers)
    .filter(([, n]) => n > 0)
    .map(([table, n]) => `${table} ${n}`);
  const head = `-- ${name}: ${statements.length} statements, ${total} buffers\n-- ${tables.join(', ')}\n`;
  return `${head}${statements.map((sql) => `\n${readable(sql)};\n`).join('')}`;
}

/** The same without what it costs. */
export const sqlOf = (snapshot: string): string => snapshot.split('\n').slice(2).join('\n');

/** How many buffers of each table a snapshot names. */
export const buffersOf = (snapshot: string): Record<string, number> =>
  Object.fromEntries(
    [...(snapshot.split('\n')[1] ?? '').matchAll(/(\w+) (\d+)/g)].map(([, table = '', n]) => [
      table,
      Number(n),
    ]),
  );

/**
 * The tables of which it is clearly more or fewer than before. Ids are made anew in every run and may lie on one page or
 * on two, so three more or fewer, or a tenth, are no difference.
 */
export function differing(now: Record<string, number>, before: Record<string, number>): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])]
    .filter((table) => {
      const [is = 0, was = 0] = [now[table], before[table]];
      return Math.abs(is - was) > Math.max(3, was / 10);
    })
    .map((table) => `${table}: ${now[table] ?? 0} buffers, not ${before[table] ?? 0}`);
}

const id = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const clauses =
  /(?<!^|delete|left|inner|cross)\s(?=(?:from|where|(?:left |inner |cross )?join|group by|order by|limit|returning|on conflict|union all|values) )/g;

/** Each clause on a line of its own, and no id of this run. */
const readable = (sql: string): string =>
  sql.trim().replaceAll(/\s+/g, ' ').replaceAll(id, '…').replaceAll('; ', ';\n').replaceAll(clauses, '\n  ');
