import { writeFile } from 'node:fs/promises';
import pg from 'pg';
import { openDatabase, openPool } from '../../src/database/pool.ts';
import { benchServer } from '../support/bench-server.ts';
import { tell, type Size } from '../support/command.ts';
import { atMost, told, type Figure } from '../support/figure.ts';
import { bytesAMessage, newBroadcast, sendAll } from './life.ts';
import { months, type YearsPlan } from './plan.ts';
import { questionsOf, removeAll, retain } from './questions.ts';
import { seedYears } from './seed.ts';
import { dearest } from './short-plan.ts';
import { watch, type Taken, type Watched } from './watch.ts';

const plans = {
  small: {
    year: { organizations: 20, people: 40, broadcastsAMonth: 2, eventsAMonth: 2 },
    life: 5_000,
    bars: { grows: 1.5, month: 1_000, message: 681 },
  },
  full: {
    year: { organizations: 500, people: 417, broadcastsAMonth: 8, eventsAMonth: 4 },
    life: 50_000,
    bars: { grows: 1.25, month: 1_000, message: 681 },
  },
} as const satisfies Record<Size, { year: YearsPlan; [key: string]: unknown }>;

/** Where the plans of the last run are written. */
const explained = '.rostrum/years-explain.txt';

/** A year of many organizations: what a message and a person take, and that nobody pays for others' rows. */
export async function years(size: Size): Promise<Figure[]> {
  const { year, life, bars } = plans[size];
  const few = await measure('rostrum_bench_years_few', { ...year, organizations: year.organizations / 10 });
  const all = await measure('rostrum_bench_years', year, life);
  await writeFile(explained, all.plans.join('\n\n'));
  tell(`the plans are in ${explained}`);
  const compared = [...all.taken].flatMap(([name, { ms, buffers }]) => {
    const before = few.taken.get(name)!;
    return [
      atMost(`${name}: buffers`, buffers, before.buffers, bars.grows),
      told(`${name}: ms`, ms, before.ms),
    ];
  });
  const { bytes, heap } = all.message!;
  return [
    told('deliveries', all.deliveries, few.deliveries),
    told('events', all.events, few.events),
    told('minutes of seeding', all.minutes, few.minutes),
    ...compared,
    ...Object.entries(all.dropped).map(([table, ms]) =>
      told(`dropping a month of ${table}: ms`, ms, few.dropped[table]!),
    ),
    ...Object.entries(all.dropped).map(([table, ms]) =>
      atMost(`dropping a month of ${table}, beside a second`, ms, bars.month, 1),
    ),
    atMost(
      'bytes a message in the ledger, indexes included, beside a third less than before',
      bytes,
      bars.message,
      1,
    ),
    told('bytes a message in the ledger, without indexes', heap),
    told('bytes a message in a year as it was seeded, indexes included', all.seeded),
    told('bytes an event, indexes and names included', all.event),
    told('bytes a person with three identifiers and five properties', all.person, few.person),
  ];
}

async function measure(name: string, year: YearsPlan, life = 0) {
  const now = new Date();
  const server = await benchServer();
  const url = new URL(server);
  url.pathname = `/${name}`;
  await onServer(server, `drop database if exists ${name} with (force)`, `create database ${name}`);
  const began = performance.now();
  const { orgs, bytesAPerson } = await seedYears(url.href, year, now);
  const minutes = (performance.now() - began) / 60_000;
  const watched = await watch(url.href);
  try {
    const counts = await countsOf(watched);
    const taken = new Map<string, Taken>();
    const plans: string[] = [];
    tell('asking');
    for (const { name: asked, times, ask } of await questionsOf(watched, orgs)) {
      const tries: Taken[] = [];
      for (let n = 0; n < times; n++) tries.push(await watched.take(ask));
      taken.set(asked, least(tries));
      plans.push(`## ${asked}`, dearest(await watched.explain(ask)));
    }
    const [kept, removed] = [orgs[1]!, orgs[0]!];
    tell('retention and deletion of an organization');
    for (const table of ['deliveries', 'events'] as const) {
      plans.push(
        `## retention, ${table}`,
        dearest(await watched.explain(() => retain(watched, kept, table, 11))),
      );
      taken.set(
        `retention of an organization, ${table}`,
        await watched.take(() => retain(watched, kept, table, 6)),
      );
    }
    taken.set('deletion of an organization', await watched.take(() => removeAll(watched, removed)));
    const dropped: Record<string, number> = {};
    for (const table of ['deliveries', 'events']) dropped[table] = await drop(watched, table);
    const message = life === 0 ? undefined : await liveThrough(url.href, watched, orgs[2]!, life);
    return { ...counts, taken, plans, dropped, message, minutes, person: bytesAPerson };
  } finally {
    await watched.close();
    await onServer(server, `drop database if exists ${name} with (force)`);
  }
}

const least = (tries: readonly Taken[]): Taken => ({
  ms: Math.min(...tries.map(({ ms }) => ms)),
  buffers: Math.min(...tries.map(({ buffers }) => buffers)),
});

async function countsOf({ admin }: Watched) {
  const of = async (...tables: string[]): Promise<{ rows: number; bytes: number }> => {
    const { rows } = await admin.query<{ rows: number; bytes: number }>(
      `select sum(reltuples) filter (where relname ~ ('^' || $2 || '_2'))::float8 as rows,
         sum(pg_total_relation_size(oid))::float8 as bytes
       from pg_class where relkind = 'r' and reltuples > 0 and relname ~ ('^(' || $1 || ')(_2.*)?$')`,
      [tables.join('|'), tables[0]],
    );
    return rows[0]!;
  };
  const [deliveries, events] = [await of('deliveries'), await of('events', 'named_events')];
  return {
    deliveries: deliveries.rows,
    events: events.rows,
    seeded: deliveries.bytes / deliveries.rows,
    event: events.bytes / events.rows,
  };
}

/** The oldest month, as retention does it: with the lock, the check for messages that wait, and the commit. */
async function drop({ admin }: Watched, table: string): Promise<number> {
  const began = performance.now();
  await admin.query('begin; set local role rostrum_relay');
  await admin.query('select expire_month($1, $2, false)', [table, months - 1]);
  await admin.query('commit');
  return performance.now() - began;
}

async function liveThrough(
  url: string,
  watched: Watched,
  org: Parameters<typeof sendAll>[1],
  recipients: number,
) {
  tell(`claiming and settling ${recipients} messages`);
  await watched.admin.query(`delete from deliveries where id >= first_number_of_month(now())`);
  await watched.admin.query('vacuum deliveries');
  const pool = openPool({ url, size: 4, onError: () => undefined });
  await sendAll(openDatabase(pool), org, await newBroadcast(watched.admin, org, recipients));
  await pool.end();
  const [bytes, heap] = await bytesAMessage(watched);
  return { bytes, heap };
}

async function onServer(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}
