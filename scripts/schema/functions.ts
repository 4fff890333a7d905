import type pg from 'pg';

/** Functions with who owns them where that is not the owner of the tables, and who else may call them. */
export async function describeFunctions(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ definition: string; owner: string; callers: string | null }>(`
    select pg_get_functiondef(p.oid) as definition, p.proowner::regrole::text as owner,
      case when p.proacl is not null then coalesce((
        select string_agg(a.grantee::regrole::text, ', ' order by a.grantee::regrole::text)
        from aclexplode(p.proacl) a where a.grantee <> p.proowner), 'nobody') end as callers
    from pg_proc p
    where p.pronamespace in ('public'::regnamespace, 'gate'::regnamespace) and p.prokind = 'f'
    order by p.pronamespace::regnamespace::text collate "C" desc, p.proname collate "C", p.oid::regprocedure::text`);
  const aggregates = await client.query<{ definition: string }>(`
    select format('create aggregate %s (sfunc = %s, stype = %s);', p.oid::regprocedure, a.aggtransfn,
      format_type(a.aggtranstype, null)) as definition
    from pg_proc p join pg_aggregate a on a.aggfnoid = p.oid
    where p.pronamespace = 'public'::regnamespace order by 1`);
  return [
    ...rows.map(({ definition, owner, callers }) => {
      const notes = [
        ...(owner === 'rostrum_owner' ? [] : [`-- owned by ${owner}`]),
        ...(callers === null ? [] : [`-- called by ${callers}`]),
      ];
      const text = definition.trimEnd().replaceAll(/^CREATE OR REPLACE FUNCTION/g, 'create function');
      return [...notes, `${text};`].join('\n');
    }),
    ...aggregates.rows.map(({ definition }) => definition),
  ].join('\n\n');
}
