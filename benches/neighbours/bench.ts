import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { newWebinar, arrange } from '../send/arrange.ts';
import { secret } from '../send/service.ts';
import {
  copyDatabase,
  dropDatabase,
  seedDatabase,
  type BenchOrg,
  type Population,
} from '../support/bench-database.ts';
import { tell, type Options, type Size } from '../support/command.ts';
import type { Figure } from '../support/figure.ts';
import { forkScript, type Forked } from '../support/forked.ts';
import { startServer, type ServerProcess } from '../support/server-process.ts';
import type { Attack } from './attack.ts';
import { attacks } from './attacks.ts';
import type { Answers, Begin } from './attacker.ts';
import { broadcasts } from './broadcasts.ts';
import { figuresOf, type Turn } from './figures.ts';
import { layGround, type Ground } from './ground.ts';
import { serve, type Victim } from './victim.ts';
import { shipped } from '../support/shipped.ts';

const ofVictim = 21_000; // more than are lined up at once for a broadcast to everybody
const others = (count: number, people: number) =>
  Array.from({ length: count }, () => ({ people, properties: 5 }));

const plans = {
  small: {
    population: {
      name: 'rostrum_bench_neighbours_small',
      measured: [{ people: 10_000, properties: 5 }, { people: ofVictim, properties: 5 }, ...others(12, 500)],
      others: { count: 0, people: 0, properties: 0 },
    },
    ground: { registrants: 2_000, listRows: 5_000, connections: 24 },
    only: ({ dear }: Attack): boolean => dear === true,
    turns: 1,
    seconds: { warm: 1, quiet: 1.5, attack: 2 },
    // In two seconds one stumble of the machine is a p95.
    judged: { by: 'p50', most: 8 },
    broadcasts: {
      attacks: attacks.filter(({ name }) => name === 'segment previews'),
      peopleOfOthers: 500,
      outboxRows: 1_500,
      timesAlone: { first: 6, last: 5 },
    },
  },
  full: {
    population: {
      name: 'rostrum_bench_neighbours',
      measured: [
        { people: 100_000, properties: 5 },
        { people: ofVictim, properties: 5 },
        ...others(75, 2_000),
      ],
      others: { count: 20, people: 1_000, properties: 5 },
    },
    ground: { registrants: 10_000, listRows: 50_000, connections: 48 },
    only: (): boolean => true,
    turns: 3,
    seconds: { warm: 2, quiet: 5, attack: 8 },
    judged: { by: 'p95', most: 2 },
    broadcasts: { attacks, peopleOfOthers: 2_000, outboxRows: 6_000 },
  },
} as const satisfies Record<Size, { population: Population; [key: string]: unknown }>;

type Plan = (typeof plans)[Size];

/**
 * What an organization notices of another one that asks for the dearest things as fast as it can, and of many others
 * that send when it does. `only` names attacks, or `broadcasts`.
 */
export async function neighbours(size: Size, { only = '' }: Options): Promise<Figure[]> {
  const plan = plans[size];
  const { population } = plan;
  const closing: (() => unknown)[] = [];
  if (size === 'small') closing.push(() => dropDatabase(population));
  try {
    const seeded = await seedDatabase(population);
    const run = await copyDatabase(population, `${population.name}_run`); // what is seeded stays as it is
    closing.push(run.drop);
    const rows = new pg.Client({ connectionString: run.url });
    await rows.connect();
    closing.push(() => rows.end());
    const attacker = forkScript(new URL('./attacker.ts', import.meta.url));
    closing.push(() => attacker.stop());
    const [large, small, ...others] = seeded.orgs as [BenchOrg, BenchOrg, ...BenchOrg[]];
    const first = await startApi(run.url);
    closing.push(() => end(first, rows)); // if it did not come that far
    const ground = await layGround(rows, large, first.url, plan.ground);
    const victim = await victimOf(rows, small, first.url);
    await end(first, rows);
    await rows.query('vacuum analyze');
    const figures: Figure[] = [];
    for (const attack of attacks.filter(only === '' ? plan.only : isNamed(only))) {
      const turns: Turn[] = [];
      for (let turn = 0; turn < plan.turns; turn++) {
        tell(`${attack.name}${plan.turns > 1 ? `, turn ${turn + 1}` : ''}`);
        turns.push(await inTurn({ databaseUrl: run.url, rows, attacker, ground, victim }, attack, plan));
      }
      figures.push(...figuresOf(attack.name, turns, plan.judged));
    }
    if (!'broadcasts'.includes(only)) return figures;
    const beside = { org: large, process: attacker, ground };
    const parties = { databaseUrl: run.url, rows, victim: small, attacker: beside, others };
    const { connections } = plan.ground;
    return [...figures, ...(await broadcasts({ ...parties, ...plan.broadcasts, connections }))];
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

/** By parts of names, with commas between them. */
const isNamed =
  (only: string) =>
  ({ name }: Attack): boolean =>
    only.split(',').some((part) => name.includes(part));

interface Parties {
  readonly databaseUrl: string;
  readonly rows: pg.Client;
  readonly attacker: Forked;
  readonly ground: Ground;
  readonly victim: Victim;
}

/** Quiet and then under attack, in a fresh process each time: what one attack leaves behind is not the next one's. */
async function inTurn(parties: Parties, { name }: Attack, { seconds, ground: size }: Plan): Promise<Turn> {
  const { databaseUrl, rows, attacker, ground, victim } = parties;
  const api = await startApi(databaseUrl);
  try {
    await serve(victim, api.url, seconds.warm);
    const quiet = await serve(victim, api.url, seconds.quiet);
    const begin: Begin = { ask: 'begin', name, ground, url: api.url, connections: size.connections };
    await attacker.ask({ ...begin });
    await pause(500); // until it is under way
    const attacked = await serve(victim, api.url, seconds.attack);
    const answers = await attacker.ask<Answers>({ ask: 'end' });
    return { quiet, attacked, answers };
  } finally {
    await end(api, rows);
  }
}

/** As shipped, but for the rates: what is asked is how the work is shared out, not when it is refused. */
const startApi = (databaseUrl: string): Promise<ServerProcess> =>
  startServer(['--max-semi-space-size=16', shipped, 'serve', 'api'], {
    DATABASE_URL: databaseUrl,
    ROSTRUM_SECRET: secret,
    RATE_READ_PER_MINUTE: '1000000000',
    RATE_WRITE_PER_MINUTE: '1000000000',
    RATE_HEAVY_PER_MINUTE: '1000000000',
  });

/** Ends a process without waiting for what it was asked, and what the database does for it. */
async function end({ child }: ServerProcess, rows: pg.Client): Promise<void> {
  child.kill('SIGKILL');
  const others = `from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name = 'rostrum'`;
  await rows.query(`select pg_terminate_backend(pid) ${others}`);
  while (((await rows.query(`select 1 ${others}`)).rowCount ?? 0) > 0) await pause(20);
}

async function victimOf(rows: pg.Client, org: BenchOrg, url: string): Promise<Victim> {
  const { rows: people } = await rows.query<{ id: string }>('select id from people where org_id = $1', [
    org.id,
  ]);
  const webinar = await newWebinar(await arrange(rows, org, url), 0);
  return { org, people: people.map(({ id }) => id), webinar };
}
