import { beforeAll, expect, test } from 'vitest';
import { tenantTables } from '../support/furnish.ts';
import { useWorld } from '../support/world.ts';
import { newFurnished, type Furnished } from './furnished-orgs.ts';

const world = useWorld();
let furnished: Furnished;
beforeAll(async () => {
  furnished = await newFurnished(world());
});

const ask = async <Row extends object>(question: string, values: unknown[] = []): Promise<Row[]> =>
  (await world().admin.query<Row>(question, values)).rows;

test('TEN-001 the roles the service works as are bound by row level security and are nobody else', async () => {
  const roles = await ask(`
    select rolname, rolsuper, rolbypassrls, rolcreaterole, rolcanlogin,
      exists (select 1 from pg_auth_members m where m.member = r.oid) as member_of_another
    from pg_roles r where rolname in ('rostrum_app', 'rostrum_relay', 'rostrum_gate', 'rostrum_owner', 'rostrum_auth', 'rostrum_door') order by 1`);
  const bound = {
    rolsuper: false,
    rolbypassrls: false,
    rolcreaterole: false,
    rolcanlogin: false,
    member_of_another: false,
  };
  expect(roles).toEqual(
    ['rostrum_app', 'rostrum_auth', 'rostrum_door', 'rostrum_gate', 'rostrum_owner', 'rostrum_relay'].map(
      (rolname) => ({
        rolname,
        ...bound,
      }),
    ),
  );
});

test('TEN-001 rostrum_app, rostrum_relay and rostrum_auth own nothing', async () => {
  const owned = await ask(`
    select d.classid::regclass::text as kind, d.objid from pg_shdepend d
    where d.refclassid = 'pg_authid'::regclass and d.deptype = 'o'
      and d.refobjid in ('rostrum_app'::regrole, 'rostrum_relay'::regrole, 'rostrum_auth'::regrole)
      -- 0 stands for what belongs to the cluster; another database of it may be another run's.
      and d.dbid in (0, (select oid from pg_database where datname = current_database()))`);
  expect(owned).toEqual([]);
  const known = await ask(
    "select 1 from pg_shdepend where deptype = 'o' and refobjid = 'rostrum_owner'::regrole",
  );
  expect(known.length).toBeGreaterThan(0);
});

test('the audit log can be added to and read, never changed', async () => {
  const { admin } = world();
  const before = await ask('select t::text from audit_log t');
  for (const [statement, allowed] of [
    ['select count(*) from audit_log', true],
    ["update audit_log set reason = 'forged'", false],
    ['delete from audit_log', false],
    ['truncate audit_log', false],
  ] as const) {
    await admin.query('begin');
    const set = "select set_config('app.org_id', $1, true), set_config('role', 'rostrum_app', true)";
    await admin.query(set, [furnished.org.id]);
    const code = await admin.query(statement).then(
      () => undefined,
      (error: { code?: string }) => error.code,
    );
    await admin.query('rollback');
    expect({ statement, code }).toEqual({ statement, code: allowed ? undefined : '42501' });
  }
  expect(await ask('select t::text from audit_log t')).toEqual(before);
  expect(before.length).toBeGreaterThan(0);
});

test('TEN-001 rostrum_relay reads the tables its work is in, and no other', async () => {
  const readable: string[] = [];
  for (const table of await tenantTables(world().admin)) {
    const [row] = await ask<{ may: boolean }>(
      "select has_any_column_privilege('rostrum_relay', $1, 'select') as may",
      [table],
    );
    if (row?.may === true) readable.push(table);
  }
  expect(readable).toEqual([
    'broadcast_tallies',
    'broadcasts',
    'deliveries',
    'delivery_lanes',
    'delivery_windows',
    'idempotent_answers',
    'import_failures',
    'imports',
    'organization_removals',
    'organizations',
    'outbox',
    'people_counts',
    'platform_links',
    'property_changes',
    'property_removals',
    'rate_windows',
    'registrations',
    'sending_domains',
    'sms_numbers',
    'test_sends',
    'tracking_hits',
    'wait_clocks',
    'workflow_run_counts',
    'workflow_runs',
  ]);
});

test('TEN-001 ten functions look across organizations, one tells whose session it is, five at what the installation has, three keep months, three forget what was in them, one ends an organization, and nobody but the service may call them', async () => {
  const crossing = await ask(`
    select p.oid::regprocedure::text as name, p.proowner::regrole::text as owner, p.proconfig as settings,
      has_function_privilege('rostrum_app', p.oid, 'execute') as app,
      has_function_privilege('rostrum_relay', p.oid, 'execute') as relay,
      exists (select 1 from aclexplode(p.proacl) where grantee = 0) as everybody
    from pg_proc p
    where p.prosecdef and p.pronamespace::regnamespace::text not in ('pg_catalog', 'information_schema')
    order by 1`);
  const held = {
    owner: 'rostrum_gate',
    settings: ['search_path=public, pg_temp'],
    app: true,
    relay: false,
    everybody: false,
  };
  // They make and look at partitions and hand out no row.
  const ofMonths = {
    owner: 'rostrum_owner',
    settings: ['search_path=public, pg_temp', 'lock_timeout=2s'],
    app: false,
    relay: true,
    everybody: false,
  };
  expect(crossing).toEqual([
    { name: 'analyze_months()', ...ofMonths },
    { name: 'expire_month(text,bigint,boolean)', ...ofMonths },
    { name: 'forget_account_acts(bigint,bigint)', ...ofMonths, settings: held.settings },
    { name: 'forget_event_names(bigint)', ...ofMonths, settings: held.settings },
    { name: 'forget_links(bigint)', ...ofMonths, settings: held.settings },
    // Of the organization of its transaction alone.
    { name: 'gate.audit_of_object(text,uuid,bigint)', ...held },
    { name: 'gate.clock_ahead()', ...held, app: false },
    { name: 'gate.email_route()', ...held, app: false },
    { name: 'gate.find_api_key(bytea)', ...held },
    { name: 'gate.find_connection(bytea)', ...held },
    { name: 'gate.find_invitation(bytea,timestamp with time zone)', ...held },
    { name: 'gate.find_registration_page(text)', ...held },
    {
      name: 'gate.find_session(bytea)',
      ...held,
      owner: 'rostrum_door',
      settings: ['search_path=auth, pg_temp'],
    },
    { name: 'gate.invitations_to(text,timestamp with time zone)', ...held },
    { name: 'gate.number_is_taken(text)', ...held },
    { name: 'gate.organizations_of(uuid)', ...held },
    { name: 'gate.people_with_number(text)', ...held },
    { name: 'gate.route_of(text)', ...held },
    { name: 'gate.search_people(text,integer)', ...held },
    { name: 'gate.slow_domains(text[],timestamp with time zone)', ...held },
    {
      name: 'gate.slow_down(text,text,timestamp with time zone,timestamp with time zone,text)',
      ...held,
    },
    {
      name: 'gate.take_turns(text[],timestamp with time zone,timestamp with time zone)',
      ...held,
    },
    { name: 'make_months()', ...ofMonths },
    // Of the organization of its transaction alone, once it is being deleted.
    { name: 'remove_organization(bigint)', ...held, owner: 'rostrum_owner' },
  ]);
});

test('only the owner makes a month by hand or drops one', async () => {
  const may = await ask(`
    select p.proname as name, r.role, has_function_privilege(r.role, p.oid, 'execute') as may
    from pg_proc p, unnest(array['rostrum_app', 'rostrum_relay', 'rostrum_gate']) r(role)
    where p.proname in ('make_month', 'drop_month', 'monthly_tables') and has_function_privilege(r.role, p.oid, 'execute')`);
  expect(may).toEqual([]);
});

test('rostrum_app cannot reach what belongs to the installation, and the relay only what its work is in', async () => {
  const may = await ask(`
    select r.role, c.relname as table, c.relrowsecurity and c.relforcerowsecurity as forced,
      has_schema_privilege(r.role, 'installation', 'usage') as enters,
      array(select act from unnest(array['select', 'insert', 'update', 'delete', 'truncate']) act
        where has_table_privilege(r.role, c.oid, act)) as acts
    from pg_class c, unnest(array['rostrum_app', 'rostrum_relay', 'rostrum_gate']) r(role)
    where c.relnamespace = 'installation'::regnamespace and c.relkind = 'r' order by 2, 1`);
  const of = (table: string, relay: string[], gate: string[]) => [
    { role: 'rostrum_app', table, forced: true, enters: false, acts: [] },
    { role: 'rostrum_gate', table, forced: true, enters: true, acts: gate },
    { role: 'rostrum_relay', table, forced: true, enters: true, acts: relay },
  ];
  expect(may).toEqual([
    ...of('audit_log', ['select', 'insert'], []),
    ...of('budget_shares', ['select', 'insert', 'update', 'delete'], []),
    ...of('left_routes', ['select', 'insert', 'update', 'delete'], []),
    ...of('org_routes', ['select', 'insert', 'update', 'delete'], ['select']),
    // The gate reads names and versions alone.
    ...of('routes', ['select', 'insert', 'update', 'delete'], []),
    ...of('slow_domains', ['select', 'delete'], ['select', 'insert', 'update']),
    ...of('turn_requests', ['select', 'delete'], ['select', 'insert', 'delete']),
  ]);
});

const accountTables = [
  'attempts',
  'audit_log',
  'clients',
  'identities',
  'links',
  'passkeys',
  'recovery_codes',
  'sessions',
  'setup',
  'used_challenges',
  'users',
];

test('the roles of organizations cannot reach accounts, and the role of accounts reaches nothing else', async () => {
  const { admin } = world();
  await admin.query(
    "insert into auth.users (id, email, password, created_at) values (gen_random_uuid(), 'robin@example.com', 'x', now())",
  );
  const tables = await ask<{ name: string; forced: boolean }>(`
    select relname as name, relrowsecurity and relforcerowsecurity as forced
    from pg_class where relnamespace = 'auth'::regnamespace and relkind = 'r' order by 1`);
  expect(tables).toEqual(accountTables.map((name) => ({ name, forced: true })));
  for (const role of ['rostrum_app', 'rostrum_relay', 'rostrum_gate'])
    for (const table of accountTables) {
      await admin.query('begin');
      await admin.query("select set_config('app.org_id', $1, true), set_config('role', $2, true)", [
        furnished.org.id,
        role,
      ]);
      const code = await admin.query(`select * from auth.${table}`).then(
        ({ rowCount }) => `${rowCount} rows`,
        (error: { code?: string }) => error.code,
      );
      await admin.query('rollback');
      expect([role, table, code]).toEqual([role, table, '42501']);
    }
  const others = await ask(`
    select c.oid::regclass::text as table, act from pg_class c, unnest(array['select', 'insert', 'update', 'delete', 'truncate']) act
    where c.relkind in ('r', 'p', 'v') and c.relnamespace::regnamespace::text in ('public', 'installation')
      and has_table_privilege('rostrum_auth', c.oid, act)`);
  expect(others).toEqual([]);
  const functions = await ask(`
    select p.oid::regprocedure::text from pg_proc p
    where p.prosecdef and has_function_privilege('rostrum_auth', p.oid, 'execute')`);
  expect(functions).toEqual([]);
});

test('the owner of the function that tells whose session it is reads what it tells, and nothing else', async () => {
  const columns = await ask<{ column: string }>(`
    select c.oid::regclass || '.' || a.attname as column from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind in ('r', 'p', 'v') and a.attnum > 0 and c.relnamespace::regnamespace::text !~ '^(pg_|information)'
      and has_column_privilege('rostrum_door', c.oid, a.attnum, 'select') order by 1`);
  expect(columns.map(({ column }) => column)).toEqual([
    'auth.sessions.awaits_code',
    'auth.sessions.ends_at',
    'auth.sessions.id',
    'auth.sessions.token_hash',
    'auth.sessions.used_at',
    'auth.sessions.user_id',
    'auth.users.email',
    'auth.users.id',
  ]);
  const [may] = await ask(`select has_schema_privilege('rostrum_door', 'gate', 'create') as creates`);
  expect(may).toEqual({ creates: false });
});

test('what became of accounts can be added to and read, never changed', async () => {
  const may = await ask(`
    select act from unnest(array['select', 'insert', 'update', 'delete', 'truncate']) act
    where has_table_privilege('rostrum_auth', 'auth.audit_log', act)`);
  expect(may).toEqual([{ act: 'select' }, { act: 'insert' }]);
});
