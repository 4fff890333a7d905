import pg from 'pg';
import { arrange, type Setting } from '../send/arrange.ts';
import { secret, startService } from '../send/service.ts';
import { dropDatabase, seedDatabase, type BenchOrg, type Population } from '../support/bench-database.ts';
import type { Options, Size } from '../support/command.ts';
import { atMost, type Figure } from '../support/figure.ts';
import { startServer } from '../support/server-process.ts';
import { startSink } from '../support/start-sink.ts';
import { registeringMeanwhile } from './meanwhile.ts';
import { moving } from './moving.ts';
import { registering } from './registering.ts';
import { releasing, startReleaser } from './releasing.ts';
import { newWebinar, publishReminders } from './reminders.ts';
import { serving } from './serving.ts';
import { letWait, type Waiting } from './waiting.ts';
import { shipped } from '../support/shipped.ts';

const plans = {
  small: {
    name: 'rostrum_bench_webinars_small',
    sizes: [{ people: 3_000, turns: 5 }],
    register: { rounds: 3, seconds: 0.4 },
    meanwhileSeconds: 1,
    bars: { register: 0.48, meanwhile: 3, move: 0.7, growth: 0, release: { ofProcessor: 3_500 } },
  },
  full: {
    name: 'rostrum_bench_webinars',
    sizes: [
      { people: 100_000, turns: 9 },
      { people: 1_000_000, turns: 5 },
    ],
    register: { rounds: 5, seconds: 3 },
    meanwhileSeconds: 5,
    bars: { register: 0.5, meanwhile: 2, move: 0.1, growth: 10, release: { aSecond: 5_000 } },
  },
};

/** Registering, moving a webinar and releasing its waits, beside a bare server, a bare UPDATE, and a bar. */
export async function webinars(size: Size, { minutes = 30, people: only }: Options): Promise<Figure[]> {
  const { name, register, meanwhileSeconds, bars, ...plan } = plans[size];
  const sizes = plan.sizes.filter(({ people }) => only === undefined || people === only);
  if (sizes.length === 0) throw new Error(`nothing is measured with ${only} people in this size`);
  const population: Population = {
    name,
    measured: sizes.map(({ people }) => ({ people, properties: 5 })),
    others: { count: 2, people: 500, properties: 5 },
  };
  const figures: Figure[] = [];
  const closing: (() => unknown)[] = [() => dropDatabase(population)];
  try {
    const database = await seedDatabase(population);
    const rows = new pg.Client({ connectionString: database.url });
    await rows.connect();
    closing.push(() => rows.end());
    const releaser = await startReleaser(database.url);
    closing.push(() => releaser.stop());
    const url = await startApi(database.url, closing);
    const parties = [];
    for (const [index, { people, turns }] of sizes.entries()) {
      const setting = await arrange(rows, database.orgs[index] as BenchOrg, url);
      parties.push({ setting, workflow: await publishReminders(setting), count: people, turns });
    }
    const [party] = parties as [(typeof parties)[0]];

    figures.push(
      ...(await registering(
        party.setting,
        { url, databaseUrl: database.url },
        { ...register, bar: bars.register },
      )),
    );
    const moved: number[] = [];
    for (const one of parties) {
      const waiting = await wait(one);
      const { ms, figures: of } = await moving(waiting, { turns: one.turns, bar: bars.move });
      moved.push(ms);
      figures.push(...of);
      if (one === party) {
        figures.push(...(await releasing(waiting, releaser, { database: name, bars: bars.release })));
        const crowd = await wait(one);
        figures.push(
          ...(await registeringMeanwhile(crowd, releaser, {
            url,
            seconds: meanwhileSeconds,
            bar: bars.meanwhile,
          })),
        );
      }
    }
    if (moved.length > 1) {
      const most = sizes.at(-1)!.people;
      figures.push(
        atMost(`moving ${most} waits: ms, beside ${sizes[0]!.people}`, moved.at(-1)!, moved[0]!, bars.growth),
      );
    }
    await clearAway(rows);
    const sink = await startSink();
    closing.push(() => sink.stop());
    const service = await startService(database.url, sink.port, closing);
    figures.push(...(await serving(await wait(party), { service, sink }, minutes)));
    return figures;
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

/** Everybody of an organization, registered for a webinar of their own and waiting for its first reminder. */
async function wait({
  setting,
  workflow,
  count,
}: {
  readonly setting: Setting;
  readonly workflow: string;
  readonly count: number;
}): Promise<Waiting> {
  const waiting = { setting, workflow, count, webinar: await newWebinar(setting) };
  await letWait(waiting);
  return waiting;
}

/** What was written so far and is still to be sent or released would be, by the whole service. */
const clearAway = (rows: pg.Client): Promise<unknown> =>
  rows.query('truncate outbox, deliveries, delivery_queue, delivery_lanes, waits, wait_clocks');

async function startApi(databaseUrl: string, closing: (() => unknown)[]): Promise<string> {
  const server = await startServer(['--max-semi-space-size=16', shipped, 'serve', 'api'], {
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: '16',
    ROSTRUM_SECRET: secret,
    RATE_READ_PER_MINUTE: '1000000000',
    RATE_WRITE_PER_MINUTE: '1000000000',
    RATE_HEAVY_PER_MINUTE: '1000000000',
  });
  closing.push(() => server.stop());
  return server.url;
}
