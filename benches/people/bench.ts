import { dropDatabase, seedDatabase, type BenchOrg, type Population } from '../support/bench-database.ts';
import { tell, type Size } from '../support/command.ts';
import { atLeast, atMost, told, type Figure } from '../support/figure.ts';
import { load, type Load } from '../support/load.ts';
import type { Call } from '../support/send-call.ts';
import { startServer } from '../support/server-process.ts';
import { byHand } from './by-hand.ts';
import { callsOn, toBare, toRest, toTool, type Measured } from './calls.ts';
import { recordSql, type Statement } from './record-sql.ts';
import { someIds } from './some-ids.ts';
import { shipped } from '../support/shipped.ts';

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
    // One of each kind: the others differ in the index they go by, which the full size tries.
    only: [
      'get',
      'identify known',
      'identify new',
      'search rare',
      'search common',
      'list by created_at',
      'list by primary_email',
      'list by created_at, offset 5000',
    ],
    rounds: 4,
    seconds: 0.1,
    counts: 'best',
    bars: { one: 0.4, many: 0.45, growth: 4, tool: 2.5 },
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
    only: undefined,
    rounds: 3,
    seconds: 2,
    counts: 'middle',
    bars: { one: 0.6, many: 0.85, growth: 3, tool: 1.5 },
  },
} as const satisfies Record<Size, { population: Population; [key: string]: unknown }>;

// Half of the least measured at the small size, once and on a busy machine: identify new 0.32, search common 0.42.
const byHandBars = { one: 0.16, many: 0.21 };

const busy = 16; // connections when throughput is asked
const calm = 2; // connections when the time of one call is asked

/** Every people operation through REST beside the bare server, and the large organization beside a small one. */
export async function people(size: Size): Promise<Figure[]> {
  const plan = plans[size];
  const database = await seedDatabase(plan.population);
  const [large, small] = database.orgs as [BenchOrg, BenchOrg];
  const chosen = ({ name }: Measured): boolean => plan.only?.some((one) => one === name) ?? true;
  const calls = callsOn({
    people: plan.population.measured[0].people,
    ids: await someIds(database.url, large),
    deepOffset: plan.deepOffset,
  }).filter(chosen);
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
  const ours = await startServer([shipped, 'serve', 'api'], {
    ...env,
    ...unlimited,
    ROSTRUM_SECRET: 'a secret for benches that guards nothing',
  });
  const startBare = (sent: Record<string, Statement[]>) =>
    startServer(['benches/people/bare-server.ts'], {
      ...env,
      ORG: large.id,
      STATEMENTS: JSON.stringify(sent),
      SAMPLES: JSON.stringify(
        Object.fromEntries(
          calls.map((call) => [call.name, { ...call.sample, ...(call.makes && { made: 'true' }) }]),
        ),
      ),
    });
  const bare = await startBare(statements);
  const hand = await startBare(
    Object.fromEntries(calls.map((call) => [call.name, byHand(call, large.id, statements[call.name]!)])),
  );
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
        hand: await run(hand.url, () => toBare(call, call.next()), busy),
      }));
      figures.push(...compare(call, pairs, plan));
      const [spent, least] = oneOf(pairs, plan.counts, ({ throughput }) => 1 / throughput, 'hand');
      figures.push(
        atLeast('  beside SQL by hand: calls a second', 1 / spent, 1 / least, byHandBars[call.kind]),
      );
    }
    for (const call of calls) {
      if (call.kind !== 'many' || call.name.includes('offset')) continue;
      tell(`${call.name}, calm`);
      const twin = smallCalls.find(({ name }) => name === call.name)!;
      const pairs = await inRounds(plan.rounds, async () => ({
        bare: await run(ours.url, () => toRest(twin, twin.next(), small.secret), calm),
        ours: await run(ours.url, () => toRest(call, call.next(), large.secret), calm),
      }));
      const name = `${call.name}: p95 ms, ${plan.population.measured[0].people} people beside ${plan.population.measured[1].people}`;
      const [atLarge, atSmall] = oneOf(pairs, plan.counts, ({ p95 }) => p95);
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
      const [tool, rest] = oneOf(pairs, plan.counts, mean);
      figures.push(atMost(`${call.name}: ms a call as a tool beside REST`, tool, rest, plan.bars.tool));
    }
  } finally {
    await ours.stop();
    await bare.stop();
    await hand.stop();
    if (size === 'small') await dropDatabase(plan.population);
  }
  return figures;
}

interface Pair {
  readonly ours: Load;
  /** What it is held against. */
  readonly bare: Load;
  /** The same question in the least SQL. */
  readonly hand?: Load;
}

async function inRounds(rounds: number, measure: () => Promise<Pair>): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let round = 0; round < rounds; round++) pairs.push(await measure());
  return pairs;
}

/** Which of the rounds counts, for each side: one stumble of the machine is no figure, and short rounds stumble often. */
type Counts = 'middle' | 'best';

function oneOf(
  pairs: readonly Pair[],
  counts: Counts,
  pick: (load: Load) => number,
  beside: 'bare' | 'hand' = 'bare',
): [ours: number, beside: number] {
  const one = (side: keyof Pair): number =>
    pairs.map((pair) => pick(pair[side]!)).toSorted((a, b) => a - b)[
      counts === 'best' ? 0 : Math.floor(pairs.length / 2)
    ]!;
  return [one('ours'), one(beside)];
}

function compare(
  call: Measured,
  pairs: readonly Pair[],
  { bars, counts }: { readonly bars: { one: number; many: number }; readonly counts: Counts },
): Figure[] {
  const [ours, bare] = oneOf(pairs, counts, ({ throughput }) => 1 / throughput); // the least is the best
  return [
    atLeast(`${call.name}: calls a second`, 1 / ours, 1 / bare, bars[call.kind]),
    told(`${call.name}: p50 ms`, ...oneOf(pairs, counts, ({ p50 }) => p50)),
    told(`${call.name}: p95 ms`, ...oneOf(pairs, counts, ({ p95 }) => p95)),
  ];
}

const mean = ({ throughput }: Load): number => (calm * 1000) / throughput;
