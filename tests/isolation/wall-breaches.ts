import type pg from 'pg';

/** What every table of organizations must have, asked of the catalog; an empty list means the wall has no gap. */
export async function wallBreaches(admin: pg.Client): Promise<string[]> {
  const { rows } = await admin.query<{ breach: string }>(`
    with wanted as (
      select c.oid, c.relname as name, c.relkind, c.relispartition, c.relrowsecurity, c.relforcerowsecurity,
        case c.relname when 'organizations' then 'id' else 'org_id' end as org_column
      from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relname not in ('schema_migrations', 'installation')
    ), tables as (
      select * from wanted where relkind in ('r', 'p') and not relispartition
    ), policies as (
      select t.name, p.polname, p.polcmd, p.polpermissive,
        pg_get_expr(p.polqual, p.polrelid) as qual, pg_get_expr(p.polwithcheck, p.polrelid) as with_check,
        format('(%s = ( SELECT current_org() AS current_org))', t.org_column) as bound
      from tables t join pg_policy p on p.polrelid = t.oid
      -- 0 stands for everybody.
      where p.polroles && array['rostrum_app'::regrole::oid, 0::oid]
    )
    select name || ' has no row level security' as breach from tables where not relrowsecurity
    union all
    select name || ' does not force row level security on its owner' from tables where not relforcerowsecurity
    union all
    select name || ' has no policy for rostrum_app' from tables where name not in (select name from policies)
    union all
    select name || ' lets rostrum_app see more than one organization by its policy ' || polname from policies
    where polpermissive and (qual is distinct from bound or with_check is distinct from bound or polcmd <> '*')
    union all
    select name || ' has no primary key that begins with ' || org_column from tables t where not exists (
      select 1 from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
      where i.indrelid = t.oid and i.indisprimary and a.attname = t.org_column)
    union all
    select t.name || ' refers by ' || f.conname || ' to a row without naming its organization'
    from tables t join pg_constraint f on f.conrelid = t.oid and f.contype = 'f'
    where f.confrelid <> 'public.organizations'::regclass and not exists (
      select 1 from unnest(f.conkey, f.confkey) as pair(here, there)
        join pg_attribute h on h.attrelid = f.conrelid and h.attnum = pair.here
        join pg_attribute o on o.attrelid = f.confrelid and o.attnum = pair.there
      where h.attname = 'org_id' and o.attname = 'org_id')
    union all
    select name || ' can be reached past the policy of the table it is a part of' from wanted
    where relispartition and relkind = 'r' and exists (
      select 1 from unnest(array['rostrum_app', 'rostrum_relay', 'rostrum_gate']) role, unnest(array['select', 'insert', 'update', 'delete']) act
      where has_table_privilege(role, oid, act))
    union all
    select name || ' is a month that does not force row level security by itself' from wanted w
    where relispartition and relkind = 'r' and not (relrowsecurity and relforcerowsecurity) and exists (
      select 1 from pg_inherits h join pg_partitioned_table p on p.partrelid = h.inhparent
      where h.inhrelid = w.oid and p.partstrat = 'r')
    union all
    select name || ' is a view that reads with the rights of its owner' from wanted w
    where relkind in ('v', 'm') and not exists (
      select 1 from pg_class c where c.oid = w.oid and 'security_invoker=true' = any (c.reloptions))
    order by 1`);
  return rows.map(({ breach }) => breach);
}
