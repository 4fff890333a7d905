import pg from 'pg';
import { dropDatabase, seedDatabase, type Population } from '../support/bench-database.ts';
import type { Options, Size } from '../support/command.ts';
import { atLeast, told, type Figure } from '../support/figure.ts';
import { backendsOf, forgetPeak } from '../support/process-figures.ts';
import { startSink } from '../support/start-sink.ts';
import { arrange, newWebinar } from './arrange.ts';
import { hits } from './hits.ts';
import { measureLedgerFloor } from './ledger-floor-figures.ts';
import { memoryFigures, watchPeak } from './memory.ts';
import { preparing } from './preparing.ts';
import { sendTo } from './send-to.ts';
import { floorFigures, sendingFigures, shareOfBare } from './sending-figures.ts';
import { startService } from './service.ts';
import { storageFigures } from './storage.ts';
import { toSlowServer } from './slow-server.ts';
import { unsigned } from './unsigned.ts';
import { warmUp } from './warm-up.ts';

const plans = {
  small: {
    name: 'rostrum_bench_send_small',
    sizes: [{ people: 1_500, prepared: 5, count: 250, every: 1_500, turns: 5 }],
    slow: { people: 1_200, count: 300, turns: 2 },
    hitSeconds: 2,
    bars: {
      prepare: 0.3,
      sending: { send: 0.75 },
      unsigned: {},
      floor: 5,
      slow: 0.3,
      flat: 0,
      memory: 260,
      hits: { ofProcessor: 1_500 },
    },
  },
  full: {
    name: 'rostrum_bench_send',
    sizes: [
      { people: 10_000, prepared: 9, count: 1_500, every: 10_000, turns: 9 },
      { people: 100_000, prepared: 5, count: 4_000, every: 20_000, turns: 3 },
      { people: 1_000_000, prepared: 3, count: 4_000, every: 100_000, turns: 3 },
    ],
    slow: { people: 3_000, count: 600, turns: 3 },
    hitSeconds: 10,
    bars: {
      prepare: 0.5,
      sending: { send: 0.7, least: 0.5, rate: 900, ms: 1.8 },
      unsigned: { rate: 1_500, ms: 1 },
      floor: 2,
      slow: 0.8,
      flat: 0.85,
      memory: 300,
      hits: { onOneCore: 1_000 },
    },
  },
};

/** Preparing, sending, opening and clicking, beside a bare insert, other senders, and a bar. */
export async function send(size: Size, { minutes = 30, people: only }: Options): Promise<Figure[]> {
  const { name, slow, hitSeconds, bars, ...plan } = plans[size];
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
    const sink = await startSink();
    closing.push(() => sink.stop());
    const service = await startService(database.url, sink.port, closing);
    const rows = new pg.Client({ connectionString: database.url });
    await rows.connect();
    closing.push(() => rows.end());
    const backends = (): number[] => backendsOf(name);
    const peak = watchPeak(backends);
    closing.push(() => peak.stop());

    const audiences = [];
    for (const [index, size] of sizes.entries()) {
      const setting = await arrange(rows, database.orgs[index]!, service.url);
      audiences.push({ ...size, setting, webinar: await newWebinar(setting, size.people) });
    }
    for (const { setting, webinar, people, prepared: turns } of audiences) {
      const audience = { url: database.url, webinar, people };
      figures.push(...(await preparing(setting, audience, { turns, bar: bars.prepare })));
    }
    const rivals = await warmUp(audiences[0]!.setting, service, sink);
    const pids = { ...service.pids, 'the mail server': sink.pid, nodemailer: rivals.nodemailer.pid };
    const atStart = memoryFigures(service.pids, 'until it is warm');
    for (const pid of Object.values(pids)) forgetPeak(pid);
    closing.push(() => Promise.all(Object.values(rivals).map((rival) => rival.stop())));
    const parts = { sink, service, rivals, backends };
    const shares: number[] = [];
    for (const { setting, ...rounds } of audiences) {
      const until = Date.now() + minutes * 60_000;
      const { done, broadcast } = await sendTo(setting, parts, { ...rounds, until });
      figures.push(...sendingFigures(done, bars.sending));
      if (shares.push(shareOfBare(done)) > 1) continue;
      figures.push(
        ...floorFigures(done, await measureLedgerFloor(setting, database.url, broadcast), bars.floor),
        ...(await storageFigures(rows)),
        ...(await toSlowServer(setting, parts, slow, bars.slow)),
      );
      figures.push(...(await hits(setting, broadcast, parts, { seconds: hitSeconds, bars: bars.hits })));
    }
    if (shares.length > 1) {
      const most = sizes.at(-1)!.people;
      const title = `share of bare with ${most} recipients, beside ${sizes[0]!.people}`;
      figures.push(atLeast(title, shares.at(-1)!, shares[0]!, bars.flat));
    }
    figures.push(
      ...atStart,
      ...memoryFigures(pids, 'at work', bars.memory),
      told('PostgreSQL, all processes together: most megabytes', peak.most()),
    );
    const { setting, people, count, every, turns } = audiences[0]!;
    const until = Date.now() + minutes * 60_000;
    figures.push(...(await unsigned(setting, parts, { people, count, every, turns, until }, bars.unsigned)));
    return figures;
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}
