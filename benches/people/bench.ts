import pg from 'pg';
import { dropDatabase, seedDatabase, type BenchOrg, type Population } from '../support/bench-database.ts';
import { tell, type Size } from '../support/command.ts';
import { atLeast, atMost, told, type Figure } from '../support/figure.ts';
import { load, type Call, type Load } from '../support/load.ts';
import { startServer } from '../support/server-process.ts';
import { callsOn, toBare, toRest, toTool, type Measured } from './calls.ts';
import { recordSql } from './record-sql.ts';

const plans = {
  small: {
    population: {
      name: 'rostrum_bench_people_small',
      measured: [
        { people: 10_000, properties: 5 },
        { people: 1_000, properties: 5 },
      ],
      others: { count: 2, people: 500, properties: 5 },
    },
    deepOffset: 5_000,
    rounds: 3,
    seconds: 0.18,
    // The runs are short and the code is cold: these catch a layer that became slow, not a percent.
    bars: { one: 0.4, many: 0.45, growth: 6, tool: 2.5 },
  },
  full: {
    population: {
      name: 'rostrum_bench_people',
      measured: [
        { people: 1_000_000, properties: 5 },
        { people: 10_000, properties: 5 },
      ],
      others: { count: 200, people: 5_000, properties: 5 },
    },
    deepOffset: 100_000,
    rounds: 3,
    seconds: 2,
    bars: { one: 0.6, many: 0.85, growth: 3, tool: 1.5 },
  },
} as const satisfies Record<Size, { population: Population; [key: string]: unknown }>;

const busy = 16; // connections when throughput is asked
const calm = 2; // connections when the time of one call is asked

/** Every people operation through REST beside the bare server, and the large organization beside a small one. */
export async function people(size: Size): Promise<Figure[]> {
  const plan = plans[size];
  const database = await seedDatabase(plan.population);
  const [large, small] = database.orgs as [BenchOrg, BenchOrg];
  const calls = callsOn({
    people: plan.population.measured[0].people,
    ids: await someIds(database.url, large),
    deepOffset: plan.deepOffset,
  });
  const smallIds = await someIds(database.url, small);
  const smallCalls = callsOn({ people: plan.population.measured[1].people, ids: smallIds, deepOffset: 0 });
  const statements = await recordSql(
    database.url,
    large.id,
    Object.fromEntries(calls.map((call) => [call.name, [call.operation, { ...call.fixed, ...call.sample }]])),
  );
  const env = { DATABASE_URL: database.url, DATABASE_POOL_SIZE: '16' };
  const unlimited = {
    RATE_READ_PER_MINUTE: '1000000000',
    RATE_WRITE_PER_MINUTE: '1000000000',
    RATE_HEAVY_PER_MINUTE: '1000000000',
  };
  const ours = await startServer(['src/main/cli.ts', 'serve', 'api'], {
    ...env,
    ...unlimited,
    ROSTRUM_SECRET: 'a secret for benches that guards nothing',
  });
  const bare = await startServer(['benches/people/bare-server.ts'], {
    ...env,
    ORG: large.id,
    STATEMENTS: JSON.stringify(statements),
    SAMPLES: JSON.stringify(
      Object.fromEntries(
        calls.map((call) => [call.name, { ...call.sample, ...(call.makes && { made: 'true' }) }]),
      ),
    ),
  });
  const figures: Figure[] = [];
  const run = (url: string, next: () => Call, connections: number): Promise<Load> =>
    load({ url, next, connections, seconds: plan.seconds });
  try {
    for (const call of calls) {
      tell(call.name);
      const rest = (): Call => toRest(call, call.next(), large.secret);
      await run(ours.url, rest, busy); // both caches warm
      const pairs = await inRounds(plan.rounds, async () => ({
        bare: await run(bare.url, () => toBare(call, call.next()), busy),
        ours: await run(ours.url, rest, busy),
      }));
      figures.push(...compare(call, pairs, plan.bars));
    }
    for (const [index, call] of calls.entries()) {
      if (call.kind !== 'many' || call.name.includes('offset')) continue;
      tell(`${call.name}, calm`);
      const twin = smallCalls[index]!;
      const pairs = await inRounds(plan.rounds, async () => ({
        bare: await run(ours.url, () => toRest(twin, twin.next(), small.secret), calm),
        ours: await run(ours.url, () => toRest(call, call.next(), large.secret), calm),
      }));
      const name = `${call.name}: p95 ms, ${plan.population.measured[0].people} people beside ${plan.population.measured[1].people}`;
      const [atLarge, atSmall] = middles(pairs, ({ p95 }) => p95);
      figures.push(atMost(name, atLarge, atSmall, plan.bars.growth));
    }
    for (const call of calls.filter(({ name }) =>
      ['get', 'identify known', 'list by created_at', 'search rare'].includes(name),
    )) {
      tell(`${call.name} as a tool`);
      const pairs = await inRounds(plan.rounds, async () => ({
        bare: await run(ours.url, () => toRest(call, call.next(), large.secret), calm),
        ours: await run(ours.url, () => toTool(call, call.next(), large.secret), calm),
      }));
      const [tool, rest] = middles(pairs, mean);
      figures.push(atMost(`${call.name}: ms a call as a tool beside REST`, tool, rest, plan.bars.tool));
    }
  } finally {
    await ours.stop();
    await bare.stop();
    if (size === 'small') await dropDatabase(plan.population);
  }
  return figures;
}

interface Pair {
  readonly ours: Load;
  /** What it is held against. */
  readonly bare: Load;
}

async function inRounds(rounds: number, measure: () => Promise<Pair>): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let round = 0; round < rounds; round++) pairs.push(await measure());
  return pairs;
}

/** The middle of the rounds, for each side: one stumble of the machine is no figure. */
function middles(pairs: readonly Pair[], pick: (load: Load) => number): [ours: number, bare: number] {
  const middle = (side: keyof Pair): number =>
    pairs.map((pair) => pick(pair[side])).toSorted((a, b) => a - b)[Math.floor(pairs.length / 2)]!;
  return [middle('ours'), middle('bare')];
}

const compare = (call: Measured, pairs: readonly Pair[], bars: { one: number; many: number }): Figure[] => [
  atLeast(`${call.name}: calls a second`, ...middles(pairs, ({ throughput }) => throughput), bars[call.kind]),
  told(`${call.name}: p50 ms`, ...middles(pairs, ({ p50 }) => p50)),
  told(`${call.name}: p95 ms`, ...middles(pairs, ({ p95 }) => p95)),
];

const mean = ({ throughput }: Load): number => (calm * 1000) / throughput;

async function someIds(url: string, org: BenchOrg): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ id: string }>(
    'select id from people where org_id = $1 order by random() limit 20000',
    [org.id],
  );
  await client.end();
  return rows.map(({ id }) => id);
}
