import type pg from 'pg';
import { describeFunctions } from './functions.ts';
import { describeTable } from './tables.ts';

/**
 * The whole schema as text, read from the catalogues: pg_dump writes differently from version to version, and puts what
 * belongs to a table in many places. Here a table stands with all that is about it, and months come and go unseen.
 */
export async function writeSchema(client: pg.Client): Promise<string> {
  await client.query("set search_path = ''");
  const { rows } = await client.query<{ name: string }>(`
    select c.oid::regclass::text as name from pg_class c
    where c.relnamespace in ('public'::regnamespace, 'installation'::regnamespace, 'auth'::regnamespace) and c.relkind in ('r', 'p')
      and not c.relispartition and c.relname <> 'schema_migrations'
    order by c.relnamespace::regnamespace::text collate "C" desc, c.relname collate "C"`);
  const tables: string[] = [];
  for (const { name } of rows) tables.push(await describeTable(client, name));
  const parts = [header, ...tables, await describeSequences(client), await describeFunctions(client)];
  return `${inOurWords(parts.join('\n\n'))}\n`;
}

const inOurWords = (text: string): string =>
  text
    .replaceAll(/\bpublic\./g, '')
    .replaceAll('timestamp with time zone', 'timestamptz')
    .replaceAll(
      /\(\(?org_id = \(\s*SELECT current_org\(\) AS current_org\)\)\)?/g,
      '(org_id = current_org())',
    );

const header = `-- What the migrations make, to be read and never run: \`npm run tables -- --write\` writes it.
-- A table is followed by its partitions, indexes, policies, grants and triggers; functions come last.`;

async function describeSequences(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ line: string }>(`
    select format('create sequence %s; -- %s', c.oid::regclass,
      coalesce((select string_agg(a.grantee::regrole || ' may ' || lower(a.privilege_type), ', ' order by 1)
        from aclexplode(c.relacl) a where a.grantee <> c.relowner), 'granted to nobody')) as line
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'S'
      and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'i')
    order by c.relname collate "C"`);
  return rows.map(({ line }) => line).join('\n');
}
