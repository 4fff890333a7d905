import type pg from 'pg';
import type { TestOrg } from './test-org.ts';

/** Not what callers wrote: when a key was last used, how often the organization called. */
const passing = new Set(['api_keys', 'rate_windows']);

/** Every row of an organization, by table. Equal before and after a refusal, it proves that nothing was written. */
export async function contentsOf(admin: pg.Client, org: TestOrg): Promise<Record<string, unknown[]>> {
  const { rows: tables } = await admin.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`,
  );
  const contents: Record<string, unknown[]> = {};
  for (const { name } of tables) {
    if (passing.has(name)) continue;
    const { rows } = await admin.query(`select t.* from ${name} t where org_id = $1 order by t::text`, [
      org.id,
    ]);
    contents[name] = rows;
  }
  return contents;
}
