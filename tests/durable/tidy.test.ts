// What is past its time (ADR 65).
import { expect, test } from 'vitest';
import { tryThing } from '../../src/database/locks.ts';
import { tidy, type KeepMonths } from '../../src/durable/tidy.ts';
import { addDelivery, newSending } from '../support/arrange-ledger.ts';
import { auditOf } from '../support/audit.ts';
import { makeMonth, partAt, partsOf } from '../support/months.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const keep: KeepMonths = {
  tracking_hits: 3,
  events: 25,
  deliveries: 25,
  audit_log: 84,
};

async function tidyUp({ detach = false, now = new Date() } = {}): Promise<string[]> {
  const expired: string[] = [];
  const onTrouble = (error: unknown): never => {
    throw error;
  };
  await tidy(world().database, now, {
    keep,
    detach,
    onExpired: (month) => void expired.push(month),
    onTrouble,
  });
  return expired;
}

const monthsAgo = (n: number): Date => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - n, 15));
};

const make = (table: string, ago: number) => makeMonth(world(), table, monthsAgo(ago).toISOString());

const isThere = async (part: string): Promise<boolean> =>
  (await world().admin.query('select to_regclass($1) is not null as there', [part])).rows[0].there;

test.each(Object.entries(keep))(
  'of %s %i whole months are kept, and those before go one by one',
  async (table, months) => {
    const agos = [months, months + 1, months + 2];
    for (const ago of agos) await make(table, ago);
    expect(await tidyUp()).toEqual([partAt(table, monthsAgo(months + 2))]);
    expect(await tidyUp()).toEqual([partAt(table, monthsAgo(months + 1))]);
    expect(await tidyUp()).toEqual([]);
    expect(await Promise.all(agos.map((ago) => isThere(partAt(table, monthsAgo(ago)))))).toEqual([
      true,
      false,
      false,
    ]);
  },
);

test('a month with messages that are still to go out stays; after it went, the totals are what they were', async () => {
  const org = await world().newOrg();
  const person = await org.person({ email: 'ann@example.com' });
  await make('deliveries', 30);
  const id = await newSending(world(), org);
  const delivery = await addDelivery(world(), org, id, person, {});
  const old = `(select first_number_of_month('${monthsAgo(30).toISOString()}'))`;
  const { admin } = world();
  await admin.query(`update deliveries set id = ${old} + 1 where id = $1`, [delivery]);
  await admin.query(`update delivery_queue set id = ${old} + 1 where id = $1`, [delivery]);
  expect(await partsOf(world(), 'deliveries', org.id)).toEqual({ [partAt('deliveries', monthsAgo(30))]: 1 });
  expect(await tidyUp()).toEqual([]);
  await admin.query(`update deliveries set state = 'sent', sent_at = now() where org_id = $1`, [org.id]);
  const totals = (await admin.query('select recipients, sent from broadcasts where id = $1', [id])).rows;
  expect(await tidyUp()).toEqual([partAt('deliveries', monthsAgo(30))]);
  expect((await admin.query('select recipients, sent from broadcasts where id = $1', [id])).rows).toEqual(
    totals,
  );
  expect(totals[0]).toMatchObject({ sent: '1' });
});

test('with detach a month is no part of its table any more, and stays for the operator behind the wall', async () => {
  await make('tracking_hits', 7);
  const part = partAt('tracking_hits', monthsAgo(7));
  expect(await tidyUp({ detach: true })).toEqual([part]);
  expect(await tidyUp({ detach: true })).toEqual([]);
  const { rows } = await world().admin.query(
    `select relispartition, relrowsecurity and relforcerowsecurity as walled, relacl is null as "granted to nobody"
     from pg_class where relname = $1`,
    [part],
  );
  expect(rows).toEqual([{ relispartition: false, walled: true, 'granted to nobody': true }]);
  await world().admin.query(`drop table ${part}`);
});

test('a draft of an import goes after 30 days, audited; one that was committed stays', async () => {
  const org = await world().newOrg();
  const newImport = async (): Promise<string> =>
    (await org.rest('POST /v1/imports', { name: 'x', columns: ['Mail'], sample_rows: [] })).body.import_id;
  const [old, young, committed] = [await newImport(), await newImport(), await newImport()];
  const { admin } = world();
  const ago = (days: number, id: string) =>
    admin.query(`update imports set created_at = now() - make_interval(days => $2) where id = $1`, [
      id,
      days,
    ]);
  await Promise.all([ago(31, old), ago(29, young), ago(60, committed)]);
  await admin.query(`update imports set committed_at = now(), status = 'completed' where id = $1`, [
    committed,
  ]);
  await tidyUp();
  const { rows } = await admin.query<{ id: string }>('select id from imports where org_id = $1 order by id', [
    org.id,
  ]);
  expect(rows.map(({ id }) => id)).toEqual([young, committed]);
  expect(await auditOf(world(), org, 'forget_import_draft')).toEqual([
    { ids: { import_id: old }, reason: null, actor_id: 'tidying' },
  ]);
});

test('windows of the rate limit go a day after they ended', async () => {
  const org = await world().newOrg();
  await org.rest('GET /v1/people');
  const windows = async () =>
    (await world().admin.query('select 1 from rate_windows where org_id = $1', [org.id])).rowCount;
  expect(await windows()).toBe(1);
  await tidyUp();
  expect(await windows()).toBe(1);
  await tidyUp({ now: new Date(Date.now() + 25 * 3_600_000) });
  expect(await windows()).toBe(0);
});

test('windows of a broadcast go after 8 days, but for the last ones of each lane while the fence may know it', async () => {
  const org = await world().newOrg();
  const { admin } = world();
  const [busy, idle] = [await newSending(world(), org), await newSending(world(), org)];
  const add = (broadcast: string, lane: number, count: number, days: number) =>
    admin.query(
      `insert into delivery_windows (org_id, broadcast_id, lane, number, claim, claimed_at)
       select $1, $2, $3, n, gen_random_uuid(), now() - make_interval(days => $5) from generate_series(1, $4::int) n`,
      [org.id, broadcast, lane, count, days],
    );
  const windows = async (broadcast: string, lane: number) =>
    (
      await admin.query<{ number: string }>(
        'select number from delivery_windows where broadcast_id = $1 and lane = $2 order by number',
        [broadcast, lane],
      )
    ).rows.map(({ number }) => Number(number));
  await add(busy, 0, 3, 7);
  await add(busy, 1, 10, 9);
  await add(idle, 0, 10, 9);
  await tidyUp();
  expect(await windows(busy, 0)).toEqual([1, 2, 3]);
  expect(await windows(busy, 1)).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
  expect(await windows(idle, 0)).toEqual([]);
});

test('receivers that asked for less are forgotten a day after it is over, with the turns at them', async () => {
  const { id } = await world().newOrg();
  const { admin } = world();
  await admin.query(
    `insert into installation.slow_domains (route, domain, slow_until, next_at, reason)
     select '', name, now() - make_interval(hours => hours), now(), 'slow' from (values ('old.example', 25), ('new.example', 23)) d(name, hours)`,
  );
  await admin.query(
    `insert into installation.turn_requests (route, domain, org_id, asked_at, granted, expected_until)
     select '', domain, $1, now(), true, now() from installation.slow_domains`,
    [id],
  );
  await tidyUp();
  for (const table of ['slow_domains', 'turn_requests'])
    expect((await admin.query(`select domain from installation.${table}`)).rows).toEqual([
      { domain: 'new.example' },
    ]);
});

test('names that callers gave events go after the month of these events, and may be used again', async () => {
  const org = await world().newOrg();
  const email = 'ann@example.com';
  const send = async (event_id: string) =>
    (await org.rest('POST /v1/events', { event_name: 'x', email, event_id })).body.recorded;
  expect([await send('old'), await send('new'), await send('old')]).toEqual([1, 1, 0]);
  const { admin } = world();
  await make('events', 30);
  for (const table of ['events', 'named_events']) {
    await admin.query(`update ${table} set id = new_id($2) where org_id = $1 and event_id = 'old'`, [
      org.id,
      monthsAgo(30),
    ]);
  }
  await make('events', 25);
  expect(await tidyUp()).toContain(partAt('events', monthsAgo(30)));
  expect([await send('old'), await send('new')]).toEqual([1, 0]);
});

test('links that nobody followed go after the messages they were in; those with clicks stay, as do younger ones', async () => {
  const org = await world().newOrg();
  const { admin } = world();
  const add = async (ago: number): Promise<string> => {
    const draft = await newSending(world(), org, { status: 'sent', finished_at: monthsAgo(ago) });
    const { rows } = await admin.query<{ id: string }>(
      'update broadcasts set id = new_id($2) where id = $1 returning id',
      [draft, monthsAgo(ago)],
    );
    await admin.query(
      `insert into broadcast_links (org_id, broadcast_id, link, url, clicks)
       select $1, $2, n, 'https://example.com', n from generate_series(0, 1) n`,
      [org.id, rows[0]!.id],
    );
    return rows[0]!.id;
  };
  await make('deliveries', 25);
  const [old, young] = [await add(26), await add(24)];
  await tidyUp();
  const { rows } = await admin.query(
    'select broadcast_id, link::int from broadcast_links where org_id = $1 order by 1, 2',
    [org.id],
  );
  expect(rows).toEqual([
    { broadcast_id: old, link: 1 },
    { broadcast_id: young, link: 0 },
    { broadcast_id: young, link: 1 },
  ]);
});

test('whether a month holds messages that are still to go out is asked of an index, not of the whole queue', async () => {
  const org = await world().newOrg();
  const { admin } = world();
  await admin.query(
    `insert into delivery_queue (org_id, broadcast_id, lane, due_at, id)
     select $1, gen_random_uuid(), -1, now(), first_number_of_month(now()) + n from generate_series(1, 20000) n`,
    [org.id],
  );
  await admin.query('analyze delivery_queue');
  const { rows } = await admin.query<{ 'QUERY PLAN': string }>(
    `explain select 1 from delivery_queue where id >> 40 = first_number_of_month(now() - interval '26 months') >> 40`,
  );
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('delivery_queue_by_month');
  await admin.query('delete from delivery_queue where org_id = $1', [org.id]);
});

test('while another relay process tidies a table, this one leaves it alone', async () => {
  await make('tracking_hits', 9);
  await world()
    .database.transaction()
    .execute(async (other) => {
      expect(await tryThing(other, 'tidying', 'tracking_hits')).toBe(true);
      expect(await tidyUp()).toEqual([]);
    });
  expect(await tidyUp()).toEqual([partAt('tracking_hits', monthsAgo(9))]);
});

test('what became of accounts is kept as long as the audit log of organizations', async () => {
  const { admin } = world();
  for (const ago of [0, keep.audit_log, keep.audit_log + 1])
    await admin.query(
      "insert into auth.audit_log (id, at, user_id, act) values (gen_random_uuid(), $1, gen_random_uuid(), 'signed_in')",
      [monthsAgo(ago)],
    );
  await tidyUp();
  const { rows } = await admin.query<{ at: Date }>('select at from auth.audit_log order by at');
  expect(rows.map(({ at }) => at)).toEqual([monthsAgo(keep.audit_log), monthsAgo(0)]);
});
