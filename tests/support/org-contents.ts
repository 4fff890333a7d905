import type pg from 'pg';
import type { TestOrg } from './test-org.ts';

/** Not what callers wrote: when a key was last used, how often the organization called. */
const passing = new Set(['api_keys', 'rate_windows']);

/** Every row of an organization, by table. Equal before and after a refusal, it proves that nothing was written. */
export async function contentsOf(admin: pg.Client, org: TestOrg): Promise<Record<string, unknown[]>> {
  const { rows: tables } = await admin.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
     where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
     order by 1`,
  );
  const names = tables.map(({ name }) => name).filter((name) => !passing.has(name));
  // All in one message: there are many tables, and a refusal is looked at from both sides.
  const asked = names.map((name) => `select t.* from ${name} t where org_id = '${org.id}' order by t::text`);
  const answers = (await admin.query(asked.join(';'))) as unknown as pg.QueryResult<object>[];
  return Object.fromEntries(names.map((name, at) => [name, answers[at]!.rows]));
}
