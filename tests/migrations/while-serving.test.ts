import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runMigrations } from '../../src/database/run-migrations.ts';
import { startCommand } from '../blackbox/run-command.ts';
import { measured } from '../support/measured.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const folder = mkdtempSync(join(tmpdir(), 'rostrum-migrations-'));
const rows = isLong ? 60_000 : 20_000;
const heldMs = isLong ? 6_000 : 2_000; // several times the lock_timeout

const longestMs = 3_000; // lock_timeout is 300; the rest is a busy machine
let pool: pg.Pool;

const orgs = ['00000000-0000-7000-8000-00000000000a', '00000000-0000-7000-8000-00000000000b'];
const migrate = () => runMigrations(world().databaseUrl, folder);
const write = (name: string, sql: string): void => writeFileSync(join(folder, name), sql);
const scalar = async (sql: string): Promise<unknown> =>
  Object.values((await world().admin.query<Record<string, unknown>>(sql)).rows[0]!)[0];

beforeAll(async () => {
  pool = new pg.Pool({ connectionString: world().databaseUrl, max: 6 });
  write(
    '9001-tables.sql',
    `set local role rostrum_owner;
    create table crowd (org_id uuid not null, id bigint not null, city text, primary key (org_id, id));
    create table parted (like crowd including all) partition by hash (org_id, id);
    create table parted_0 partition of parted for values with (modulus 2, remainder 0);
    create table parted_1 partition of parted for values with (modulus 2, remainder 1);
    alter table crowd enable row level security; alter table crowd force row level security;
    create policy tenant on crowd to rostrum_app using (org_id = (select current_org()));
    grant select, update on crowd to rostrum_app;
    reset role; -- the wall holds for the owner of the tables, too
    insert into crowd select ('00000000-0000-7000-8000-00000000000' || case when n % 2 = 0 then 'a' else 'b' end)::uuid,
      n, 'City ' || n from generate_series(1, ${rows}) n;
    insert into parted select * from crowd;`,
  );
  for (const org of orgs)
    await world().admin.query(
      `insert into organizations (id, name, mode, currency, created_at) values ($1, 'o', 'test', 'USD', now())`,
      [org],
    );
  await migrate();
});
afterAll(async () => {
  await pool.end();
  rmSync(folder, { recursive: true, force: true });
});

/** The longest that a reader or a writer of the table waited while something was done. */
async function longestWait(table: string, act: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let over = false;
  let asked = 0;
  const ask = async (sql: string): Promise<void> => {
    while (!over) {
      const began = performance.now();
      await pool.query(sql, [orgs[asked % 2], 1 + ((asked++ * 7919) % rows)]);
      longest = Math.max(longest, performance.now() - began);
      await pause(10);
    }
  };
  const traffic = [
    ask(`select city from ${table} where org_id = $1 and id = $2`),
    ask(`select city from ${table} where org_id = $1 and id = $2`),
    ask(`update ${table} set city = city || '!' where org_id = $1 and id = $2`),
    ask(`update ${table} set city = city || '!' where org_id = $1 and id = $2`),
  ];
  try {
    await act();
  } finally {
    over = true;
    await Promise.all(traffic);
  }
  expect(asked).toBeGreaterThan(10);
  return longest;
}

/** Migrates in a process of its own and kills it in the middle. */
async function killed(when: () => Promise<boolean>): Promise<void> {
  const { child, ended } = startCommand(process.execPath, [
    'tests/support/migrate-folder.ts',
    world().databaseUrl,
    folder,
  ]);
  await expect.poll(when, { interval: 5, timeout: 40_000 }).toBe(true);
  child.kill('SIGKILL');
  expect(await ended).toMatchObject({ code: null });
  const others = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'rostrum migrate'`;
  await world().admin.query(others); // as TCP would in the end
}

test('a strong lock is asked for in short tries, while somebody reads for seconds', measured, async () => {
  write('9002-column.sql', 'set local role rostrum_owner; alter table crowd add column folded text;');
  const reader = await pool.connect();
  await reader.query('begin; select 1 from crowd limit 1');
  const done = setTimeout(() => void reader.query('commit'), heldMs);
  const began = performance.now();
  expect(await longestWait('crowd', migrate)).toBeLessThan(longestMs);
  expect(performance.now() - began).toBeGreaterThan(heldMs - 500);
  clearTimeout(done);
  reader.release();
});

const valid = (index: string) => `select indisvalid from pg_index where indexrelid = '${index}'::regclass`;

test.each(['crowd', 'parted'])(
  'an index of %s is built beside traffic, also after a kill',
  measured,
  async (table) => {
    write(`9003-${table}.index.sql`, `create index concurrently ${table}_city on ${table} (org_id, city);`);
    const slow = await pool.connect(); // holds the build up until it is killed
    const held = table === 'parted' ? 'parted_0' : table;
    await slow.query(`begin; update ${held} set city = 'x' where id = (select min(id) from ${held})`);
    const half = `select count(*)::int from pg_index where not indisvalid and indexrelid::regclass::text like '${table}%city'`;
    await killed(async () => Number(await scalar(half)) > (table === 'parted' ? 1 : 0));
    await slow.query('rollback');
    slow.release();
    expect(await scalar(half)).toBeGreaterThan(0);
    expect(await longestWait(table, migrate)).toBeLessThan(longestMs);
    expect(await scalar(valid(`${table}_city`))).toBe(true);
    expect(await scalar(half)).toBe(0);
  },
);

test('a backfill goes on where it was killed, and nobody waits long', measured, async () => {
  write(
    '9005-folded.backfill.sql',
    `-- backfill crowd by id
    update crowd set folded = lower(crowd.city) from batch
    where crowd.org_id = batch.org_id and crowd.id = batch.id and crowd.folded is null;`,
  );
  const filled = async () => Number(await scalar('select count(*) from crowd where folded is not null'));
  await killed(async () => (await filled()) > 5_000);
  const before = await filled();
  expect(before).toBeLessThan(rows);
  const progress = await scalar(`select progress from schema_migrations where name like '9005%'`);
  expect(progress).toMatchObject({ org: orgs[0], after: [expect.any(String)] });
  expect(await longestWait('crowd', migrate)).toBeLessThan(longestMs);
  expect(await filled()).toBe(rows);
  expect(await scalar(`select checksum from schema_migrations where name like '9005%'`)).toHaveLength(64);
});

test('a month that cannot be made while somebody holds its table is tried again, not given up', async () => {
  const months = () =>
    scalar("select count(*)::int from pg_inherits where inhparent = 'tracking_hits'::regclass");
  const before = await months();
  const last = String(
    await scalar(
      "select max(inhrelid::regclass::text) from pg_inherits where inhparent = 'tracking_hits'::regclass" +
        " and inhrelid::regclass::text ~ '[0-9]$'",
    ),
  );
  await world().admin.query(`drop table ${last}`);
  const holder = await pool.connect();
  await holder.query('begin; lock table tracking_hits_default in access exclusive mode');
  const migrating = migrate();
  try {
    await pause(2_500); // the function itself gives up after two seconds
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  await migrating;
  expect(await months()).toBe(before);
});
