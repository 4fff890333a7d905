// Tables that grow with time, by month (ADR 54).
import { expect, test } from 'vitest';
import { requireBroadcast } from '../../src/domain/broadcasts/draft/broadcast-rows.ts';
import { prepareNext } from '../../src/domain/broadcasts/sending/prepare-audience.ts';
import { readRun } from '../../src/domain/broadcasts/sending/run.ts';
import { sweep } from '../../src/durable/sweep.ts';
import type { BroadcastId } from '../../src/kernel/ids.ts';
import { addDelivery, newSending } from '../support/arrange-ledger.ts';
import { newDraft, setLayout } from '../support/broadcast.ts';
import { newSender } from '../support/sender-row.ts';
import { inService } from '../support/in-service.ts';
import { outcomesOf } from '../support/ledger.ts';
import { dropMonth, makeMonth, partAt, partsOf } from '../support/months.ts';
import { useWorld } from '../support/world.ts';
import { always } from '../support/providers.ts';

const world = useWorld();

const tables = ['audit_log', 'deliveries', 'events', 'tracking_hits'];

const inMonths = (n: number): Date => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + n, 15));
};

/** Parts by name, each with how its wall stands and what it has of its own. */
async function readParts(names: readonly string[]) {
  const { rows } = await world().admin.query(
    `select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as walled, c.relacl is null as "granted to nobody",
       (select count(*)::int from pg_index i where i.indrelid = c.oid and i.indisunique) as "unique"
     from pg_class c where c.relname = any($1) order by 1`,
    [names],
  );
  return rows;
}

test('this month and the next three are there, and the sweep makes what is missing of them', async () => {
  const wanted = tables.flatMap((table) => [0, 1, 2, 3].map((n) => partAt(table, inMonths(n)))).toSorted();
  const whole = wanted.map((name) => ({
    name,
    walled: true,
    'granted to nobody': true,
    unique: name.startsWith('deliveries') ? 2 : 1,
  }));
  expect(await readParts(wanted)).toEqual(whole);
  for (const table of tables) await dropMonth(world(), table, inMonths(3).toISOString());
  expect(await readParts(wanted)).toHaveLength(whole.length - tables.length);
  await sweep(world().database, new Date());
  expect(await readParts(wanted)).toEqual(whole);
  const stale =
    'select count(*)::int as n from monthly_tables() t(name) where pg_stat_get_last_analyze_time(t.name::regclass) is null';
  const left = async () => (await world().admin.query<{ n: number }>(stale)).rows[0]!.n;
  for (let n = 0; n < tables.length; n++) await sweep(world().database, new Date());
  await expect.poll(left).toBe(0);
});

test('a test organization may be years ahead: its rows are there at once, and in their month when that is made', async () => {
  const org = await world().newOrg();
  await org.rest('POST /v1/test-clock', { advance: 3 * 366 * 86_400 });
  const person = await org.person({ email: 'ahead@example.com' });
  const record = () =>
    org.rest('POST /v1/events', {
      person_id: person,
      event_name: 'came',
      event_id: 'once',
      occurred_at: now,
    });
  const now = (await org.rest('GET /v1/test-clock')).body.test_clock.now;
  expect((await record()).body).toEqual({ recorded: 1, duplicates: 0 });
  expect(await partsOf(world(), 'events', org.id)).toEqual({ events_default: 1 });
  const timeline = () => org.rest(`GET /v1/people/${person}/events`);
  const before = (await timeline()).body;
  expect(before.total).toBe(1);

  await makeMonth(world(), 'events', now);
  expect(await partsOf(world(), 'events', org.id)).toEqual({ [partAt('events', new Date(now))]: 1 });
  expect((await timeline()).body).toEqual(before);
  expect((await record()).body).toEqual({ recorded: 0, duplicates: 1 });

  await dropMonth(world(), 'events', now);
  expect((await timeline()).body.total).toBe(0);
  expect((await record()).body).toEqual({ recorded: 1, duplicates: 0 });
});

test('whoever is read into the ledger after the month has ended is in that of the beginning, and is there once', async () => {
  const org = await world().newOrg();
  await setLayout(org);
  for (const name of ['a', 'b', 'c']) await org.person({ email: `${name}@example.com` });
  const sender_id = await newSender(world(), org);
  const { id } = await newDraft(org, { audience: 'everyone', subject: 'Hi', html: '<p>Hi</p>', sender_id });
  const began = '2026-09-30T23:59:59.000Z';
  await makeMonth(world(), 'deliveries', began);
  const prepare = async (started_at: string) => {
    await world().admin.query(
      `update broadcasts set status = 'sending', send_at = $2, started_at = $2, paced_over_hours = 0,
         prepared_through = null, prepared_at = null where id = $1`,
      [id, started_at],
    );
    await inService(world(), org, async (work) => {
      const row = await requireBroadcast(work, id as BroadcastId, 'lock');
      const read = await readRun(work, row, always());
      if ('problem' in read) throw new Error(read.problem);
      await prepareNext(work, read.run);
    });
  };
  await prepare(began);
  await org.person({ email: 'd@example.com' });
  await prepare(began); // all of it again, as after a crash
  expect(await partsOf(world(), 'deliveries', org.id)).toEqual({ deliveries_2026_09: 4 });
  expect(await outcomesOf(world(), id)).toEqual({ pending: 4 });
  await expect(dropMonth(world(), 'deliveries', began)).rejects.toThrow('still to go out');
});

test('a question by id looks into one month, by a person into each', async () => {
  const { admin } = world();
  const org = await world().newOrg();
  for (let month = 1; month <= 12; month++)
    await makeMonth(world(), 'deliveries', `2025-${String(month).padStart(2, '0')}-01T00:00:00Z`);
  const id = await addDelivery(
    world(),
    org,
    await newSending(world(), org, { started_at: new Date() }),
    await org.person({ email: 'a@b.example' }),
  );
  const looked = async (question: string, values: unknown[]): Promise<string[]> => {
    const { rows } = await admin.query<Record<'QUERY PLAN', string>>(
      `explain (analyze, costs off, timing off, summary off) ${question}`,
      values,
    );
    const lines = rows.map((row) => row['QUERY PLAN']).filter((line) => / on deliveries_/.test(line));
    return [
      ...new Set(
        lines.flatMap((line) =>
          /never executed/.test(line) ? [] : (/ on (deliveries_\w+)/.exec(line)?.[1] ?? []),
        ),
      ),
    ];
  };
  const here = [partAt('deliveries', new Date())];
  const byId = 'select 1 from deliveries where org_id = $1 and';
  expect(await looked(`${byId} id = $2`, [org.id, id])).toEqual(here);
  expect(await looked(`${byId} id = any($2::bigint[])`, [org.id, [id, id + 1]])).toEqual(here);
  const settle = `with s as (select * from json_to_recordset($2) as s(id bigint))
    select 1 from deliveries d where d.org_id = $1 and d.id = any(array(select id from s))
      and d.id between (select min(id) from s) and (select max(id) from s)`;
  expect(await looked(settle, [org.id, JSON.stringify([{ id }])])).toEqual(here);
  expect(await looked(`${byId} person_id = $2`, [org.id, org.id])).toHaveLength(12 + 4 + 2);
});
