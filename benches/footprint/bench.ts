import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { bundle } from '../../scripts/bundle/bundle.ts';
import { dropDatabase, seedDatabase } from '../support/bench-database.ts';
import { tell, type Options, type Size } from '../support/command.ts';
import { atMost, told, type Figure } from '../support/figure.ts';
import { sharedMemoryOf } from '../support/process-figures.ts';
import { startWhole, type Part } from './start-whole.ts';

const population = {
  name: 'rostrum_bench_footprint',
  measured: [{ people: 1_000, properties: 5 }],
  others: { count: 0, people: 0, properties: 0 },
};
/** Beside the source, which it reads files of. */
const bundled = '.rostrum/bundle';
const login = 'rostrum_bench_service';

/** The four parts on their own are told; the bars are for one process with everything, and Restate. */
const shapes: readonly {
  readonly name: string;
  readonly parts: readonly Part[];
  readonly isHeld: boolean;
}[] = [
  { name: 'serve all', parts: ['all'], isHeld: true },
  { name: 'four parts', parts: ['api', 'handlers', 'relay', 'mailbox'], isHeld: false },
];

const plans = {
  small: { shapes: shapes.slice(0, 1), starts: 3, idleMs: 10_000, bars: { seconds: 2, megabytes: 250 } },
  full: { shapes, starts: 5, idleMs: 30_000, bars: { seconds: 2, megabytes: 250 } },
};

/** How long the service takes to be ready together with an empty Restate, and what both hold when they have nothing to do. */
export async function footprint(size: Size, { only }: Options): Promise<Figure[]> {
  const { starts, idleMs, bars, ...plan } = plans[size];
  const measured = plan.shapes.filter(({ name }) => only === undefined || name === only);
  const folder = await mkdtemp(join(tmpdir(), 'rostrum-footprint-'));
  try {
    const { url } = await seedDatabase(population);
    const databaseUrl = await makeLogin(url);
    // What runs from the same file shares its pages, and this bench runs from one too.
    const node = join(folder, 'node');
    await copyFile(process.execPath, node);
    await bundle(resolve(bundled));
    const program = { node, script: `${bundled}/rostrum.js` };
    const figures: Figure[] = [];
    for (const { name, parts, isHeld } of measured) {
      const seconds: number[] = [];
      for (let turn = 1; turn <= starts; turn++) {
        const whole = await startWhole(program, databaseUrl, parts);
        try {
          seconds.push(whole.seconds);
          tell(`${name}: ready after ${whole.seconds.toFixed(2)} s`);
          if (turn < starts) continue;
          await pause(idleMs);
          figures.push(...memory(name, whole.pids, isHeld ? bars.megabytes : undefined));
        } finally {
          await whole.stop();
        }
      }
      const middle = seconds.toSorted((a, b) => a - b)[Math.floor(starts / 2)]!;
      figures.push(held(`${name}: seconds until ready`, middle, isHeld ? bars.seconds : undefined));
    }
    return figures;
  } finally {
    await rm(folder, { recursive: true, force: true });
    await dropDatabase(population);
  }
}

function memory(name: string, pids: Readonly<Record<string, number>>, bar: number | undefined): Figure[] {
  const each = Object.entries(pids).map(([part, pid]) =>
    told(`${name}: idle megabytes of ${part}`, sharedMemoryOf([pid])),
  );
  return [...each, held(`${name}: idle megabytes`, sharedMemoryOf(Object.values(pids)), bar)];
}

const held = (name: string, value: number, bar: number | undefined): Figure =>
  bar === undefined ? told(name, value) : atMost(name, value, bar, 1);

/** As an operator makes it: with one that is superuser the service would not even look whether it may start. */
async function makeLogin(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query('select from pg_roles where rolname = $1', [login]);
  if (rows.length === 0) await client.query(`create role ${login} login password '${login}'`);
  await client.query(`grant rostrum_app, rostrum_relay, rostrum_auth to ${login}`);
  await client.end();
  const url = new URL(databaseUrl);
  url.username = login;
  url.password = login;
  return url.href;
}
