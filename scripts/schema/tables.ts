import type pg from 'pg';

const monthly = String.raw`_\d{4}_\d{2}$`;

/** A table with its columns and constraints, and everything else that is about it. */
export async function describeTable(client: pg.Client, table: string): Promise<string> {
  const lines = async (question: string): Promise<string[]> =>
    (await client.query<{ line: string }>(question, [table])).rows.map(({ line }) => line);
  const [head = ''] = await lines(tableHead);
  const [tail = ''] = await lines(tableTail);
  const members = [...(await lines(columns)), ...(await lines(constraints))];
  return [
    `${head} (\n${members.map((member) => `  ${member}`).join(',\n')}\n)${tail};`,
    ...(await lines(partitions)),
    ...(await lines(indexes)),
    ...(await lines(security)),
    ...(await lines(policies)),
    ...(await lines(grants)),
    ...(await lines(columnGrants)),
    ...(await lines(triggers)),
  ].join('\n');
}

const tableHead = `
  select format('create %stable %s', case relpersistence when 'u' then 'unlogged ' else '' end, oid::regclass) as line
  from pg_class where oid = $1::regclass`;

const tableTail = `
  select coalesce(' partition by ' || lower(left(pg_get_partkeydef(oid), 5)) || substr(pg_get_partkeydef(oid), 6), '')
    || coalesce(' with (' || array_to_string(reloptions, ', ') || ')', '') as line
  from pg_class where oid = $1::regclass`;

const columns = `
  select format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod))
    || case when a.attcollation not in (0, t.typcollation) then ' collate ' || a.attcollation::regcollation else '' end
    || case when a.attgenerated = 's' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
      when a.attidentity = 'a' then ' generated always as identity'
      when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end
    || case when a.attnotnull then ' not null' else '' end as line
  from pg_attribute a join pg_type t on t.oid = a.atttypid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum`;

const constraints = `
  select format('constraint %I %s', conname, pg_get_constraintdef(oid)) as line from pg_constraint
  where conrelid = $1::regclass and contype in ('p', 'u', 'c', 'f')
  order by array_position(array['p', 'u', 'c', 'f'], contype::text), conname collate "C"`;

// Months come and go with time, so they are not told; what else a partition has of its own is.
const partitions = `
  select format('create table %s partition of %s %s%s;', p.oid::regclass, $1::regclass,
      pg_get_expr(p.relpartbound, p.oid), ' with (' || array_to_string(p.reloptions, ', ') || ')')
    || coalesce((select string_agg(E'\\n' || pg_get_indexdef(i.indexrelid) || ';', '' order by i.indexrelid::regclass::text)
      from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = p.oid and not c.relispartition), '')
    || case when p.relrowsecurity and p.relforcerowsecurity then E'\\n-- row level security is forced on ' || p.oid::regclass
      else '' end as line
  from pg_inherits h join pg_class p on p.oid = h.inhrelid
  where h.inhparent = $1::regclass and p.relkind = 'r' and p.relname !~ '${monthly}'
  order by length(p.relname), p.relname collate "C"`;

const indexes = `
  select pg_get_indexdef(i.indexrelid) || ';' as line from pg_index i
  where i.indrelid = $1::regclass
    and not exists (select 1 from pg_constraint c where c.conindid = i.indexrelid and c.contype in ('p', 'u'))
  order by i.indexrelid::regclass::text collate "C"`;

const security = `
  select format('alter table %s %s row level security;', oid::regclass, way) as line
  from pg_class, lateral (values ('enable', relrowsecurity), ('force', relforcerowsecurity)) s(way, is_so)
  where oid = $1::regclass and is_so`;

const policies = `
  select format('create policy %I on %s for %s to %s%s%s;', polname, polrelid::regclass,
    case polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
    (select string_agg(r::regrole::text, ', ' order by r::regrole::text) from unnest(polroles) r),
    ' using (' || pg_get_expr(polqual, polrelid) || ')',
    ' with check (' || pg_get_expr(polwithcheck, polrelid) || ')') as line
  from pg_policy where polrelid = $1::regclass order by polname collate "C"`;

const grants = `
  select format('grant %s on %s to %s;', string_agg(lower(a.privilege_type), ', ' order by
      array_position(array['SELECT', 'INSERT', 'UPDATE', 'DELETE'], a.privilege_type), a.privilege_type),
    c.oid::regclass, a.grantee::regrole) as line
  from pg_class c, aclexplode(c.relacl) a
  where c.oid = $1::regclass and a.grantee <> c.relowner group by c.oid, a.grantee order by a.grantee::regrole::text`;

const columnGrants = `
  select format('grant %s (%s) on %s to %s;', lower(a.privilege_type), string_agg(t.attname, ', ' order by t.attnum),
    t.attrelid::regclass, a.grantee::regrole) as line
  from pg_attribute t, aclexplode(t.attacl) a
  where t.attrelid = $1::regclass group by t.attrelid, a.grantee, a.privilege_type
  order by a.grantee::regrole::text, a.privilege_type`;

const triggers = `
  select pg_get_triggerdef(oid) || ';' as line from pg_trigger
  where tgrelid = $1::regclass and not tgisinternal order by tgname collate "C"`;
