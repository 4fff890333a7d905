import { setTimeout as pause } from 'node:timers/promises';
import { dropDatabase, seedDatabase, type BenchOrg, type Population } from '../support/bench-database.ts';
import { tell, type Size } from '../support/command.ts';
import { atMost, told, type Figure } from '../support/figure.ts';
import { startServer } from '../support/server-process.ts';
import { ByHand } from './by-hand.ts';
import { broadest, cases, type Case } from './cases.ts';
import { inTurns, type Times } from '../support/in-turns.ts';
import { ThroughRest } from './through-rest.ts';
import { underWrites } from './under-writes.ts';
import { shipped } from '../support/shipped.ts';

const plans = {
  small: {
    population: {
      name: 'rostrum_bench_segments_small',
      measured: [
        { people: 10_000, properties: 20 },
        { people: 1_000, properties: 20 },
        { people: 1_000, properties: 40 },
      ],
      others: { count: 1, people: 500, properties: 20 },
    },
    turns: 8,
    judgedFrom: 10_000,
    // Some milliseconds each, in a process that has just begun: of few turns most are the machine's: the best counts.
    judged: { beside: 'best', growth: 'best' },
    bars: { hand: 5, growth: 16, unnamed: 2 },
    writes: undefined,
  },
  full: {
    population: {
      name: 'rostrum_bench_segments',
      measured: [
        { people: 1_000_000, properties: 20 },
        { people: 100_000, properties: 20 },
        { people: 10_000, properties: 20 },
        { people: 100_000, properties: 40 },
      ],
      others: { count: 20, people: 2_000, properties: 20 },
    },
    turns: 7,
    judgedFrom: 100_000,
    judged: { beside: 'p50', growth: 'p95' },
    bars: { hand: 1.2, growth: 12, unnamed: 1.1 },
    writes: { perSecond: 200, seconds: 15, bar: 4 / 3 },
  },
} as const satisfies Record<Size, { population: Population; [key: string]: unknown }>;

/** Segments through REST beside the same questions in SQL by hand, over organizations of three sizes. */
export async function segments(size: Size): Promise<Figure[]> {
  const plan = plans[size];
  const database = await seedDatabase(plan.population);
  const server = await startServer([shipped, 'serve', 'api'], {
    DATABASE_URL: database.url,
    RATE_READ_PER_MINUTE: '1000000000',
    RATE_WRITE_PER_MINUTE: '1000000000',
    RATE_HEAVY_PER_MINUTE: '1000000000',
    ROSTRUM_SECRET: 'a secret for benches that guards nothing',
  });
  const figures: Figure[] = [];
  try {
    const sized = plan.population.measured.map((measured, index) => ({
      ...measured,
      org: database.orgs[index]!,
      service: new ThroughRest(server.url, database.orgs[index]!.secret),
    }));
    const [large, middle] = sized as [Sized, Sized];
    const more = sized.at(-1)!; // as many people as the one before it, and more properties
    await warm(more.service);
    const counts = new Map<Sized, Map<Case, Times>>();
    for (const one of sized.slice(0, -1)) {
      const bar = one.people >= plan.judgedFrom ? plan.bars.hand : undefined;
      await pause(aloneAfterMs);
      counts.set(one, await beside(one, database.url, plan, bar, figures));
    }
    for (const [one, times] of counts.get(large)!) {
      const { growth } = plan.judged;
      const name = `${one.name}: ${growth} ms, ${large.people} people beside ${middle.people}`;
      figures.push(atMost(name, times[growth], counts.get(middle)!.get(one)![growth], plan.bars.growth));
    }
    figures.push(await unnamed(middle, more, plan.turns * 2, plan));
    if (plan.writes !== undefined) {
      const where = { url: database.url, org: large.org.id };
      figures.push(...(await underWrites(large.service, where, plan.writes)));
    }
  } finally {
    await server.stop();
    if (size === 'small') await dropDatabase(plan.population);
  }
  return figures;
}

/** Beside another organization heavy calls rest, and one is active for a second. What is measured is one alone. */
const aloneAfterMs = 1_500;

interface Sized {
  readonly people: number;
  readonly properties: number;
  readonly org: BenchOrg;
  readonly service: ThroughRest;
}

/** A server that has just begun still compiles what it does: what it does from then on is measured. */
async function warm(service: ThroughRest): Promise<void> {
  for (const one of [broadest, cases[0]!]) {
    const segment = await service.createSegment(one);
    for (let time = 0; time < 100; time++) {
      await service.preview(one);
      await service.firstPage(segment);
    }
  }
}

/** Every case in one organization, through REST and by hand. Returns how long the count of each took. */
async function beside(
  { people, org, service }: Sized,
  databaseUrl: string,
  { turns, judged: { beside: which } }: (typeof plans)[Size],
  bar: number | undefined,
  figures: Figure[],
): Promise<Map<Case, Times>> {
  const hand = await ByHand.open(databaseUrl, org.id);
  try {
    const counts = new Map<Case, Times>();
    for (const one of cases) {
      tell(`${people} people, ${one.name}`);
      const segment = await service.createSegment(one);
      const prepared = await hand.prepare(one);
      const asks = {
        'count and first page': [() => service.firstPage(segment), () => hand.firstPage(prepared)],
        preview: [() => service.preview(one), () => hand.preview(prepared)],
      } as const;
      for (const [ask, [ours, bare]] of Object.entries(asks)) {
        const [a, b] = await inTurns(turns, ours, bare);
        const name = `${people}, ${one.name}, ${ask}`;
        figures.push(
          bar === undefined
            ? told(`${name}: ${which} ms`, a[which], b[which])
            : atMost(`${name}: ${which} ms`, a[which], b[which], bar),
        );
        figures.push(told(`${name}: p95 ms`, a.p95, b.p95));
        if (ask !== 'preview') counts.set(one, a);
      }
    }
    return counts;
  } finally {
    await hand.close(); // else what went wrong would be hidden by its connections, lost with the database
  }
}

/** The same question where people have more properties that it does not name. */
async function unnamed(
  few: Sized,
  many: Sized,
  turns: number,
  { bars, judged: { beside: which } }: (typeof plans)[Size],
): Promise<Figure> {
  tell(`${many.properties} properties beside ${few.properties}`);
  const alone = async ({ service }: Sized): Promise<Times> => {
    const segment = await service.createSegment(broadest);
    await pause(aloneAfterMs);
    const [times] = await inTurns(
      turns,
      () => service.firstPage(segment),
      () => Promise.resolve(),
    );
    return times;
  };
  const [a, b] = [await alone(many), await alone(few)];
  const name = `${broadest.name}: ${which} ms with ${many.properties} properties beside ${few.properties}`;
  return atMost(name, a[which], b[which], bars.unnamed);
}
