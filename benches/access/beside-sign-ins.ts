import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { passwords } from '../../src/domain/accounts/passwords.ts';
import { callsOn, toRest } from '../people/calls.ts';
import { someIds } from '../people/some-ids.ts';
import { copyDatabase, dropDatabase, seedDatabase, type BenchOrg } from '../support/bench-database.ts';
import { tell, type Size } from '../support/command.ts';
import { atMost, told, type Figure } from '../support/figure.ts';
import { load } from '../support/load.ts';
import { startServer } from '../support/server-process.ts';
import { shipped } from '../support/shipped.ts';

const people = 10_000;
const population = {
  name: 'rostrum_bench_sign_ins',
  measured: [{ people, properties: 5 }],
  others: { count: 0, people: 0, properties: 0 },
};
const rounds = { small: { count: 3, seconds: 2 }, full: { count: 7, seconds: 8 } };
const connections = 4;
const signInsPerSecond = 20;
const users = 200;
const password = 'seven quiet otters';

/** What calls notice of people who sign in: get_person while so many do a second, beside quiet, in turns. */
export async function besideSignIns(size: Size): Promise<Figure[]> {
  const seeded = await seedDatabase(population);
  const [org] = seeded.orgs as [BenchOrg];
  const run = await copyDatabase(population, `${population.name}_run`);
  const { count, seconds } = rounds[size];
  await makeUsers(run.url);
  const server = await startServer([shipped, 'serve', 'api'], {
    DATABASE_URL: run.url,
    ROSTRUM_SECRET: 'a secret for benches that guards nothing',
    RATE_READ_PER_MINUTE: '1000000000',
  });
  try {
    const ids = await someIds(run.url, org);
    const call = callsOn({ people, ids, deepOffset: 0 }).find(({ name }) => name === 'get')!;
    const next = () => toRest(call, call.next(), org.secret);
    const measure = () => load({ url: server.url, next, connections, seconds });
    const [quiet, busy, signedIn]: [number[], number[], number[]] = [[], [], []];
    await measure();
    for (let round = 0; round < count; round++) {
      tell(`round ${round + 1} of ${count}`);
      quiet.push((await measure()).p95);
      const people = signInAll(server.url);
      busy.push((await measure()).p95);
      signedIn.push((await people.stop()) / seconds);
    }
    return [
      atMost(
        `get_person p95 while ${signInsPerSecond} sign in a second, ms`,
        middle(busy),
        middle(quiet),
        1.5,
      ),
      told('who signed in, a second', middle(signedIn), signInsPerSecond),
    ];
  } finally {
    await server.stop();
    await run.drop();
    if (size === 'small') await dropDatabase(population);
  }
}

const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function makeUsers(url: string): Promise<void> {
  const hash = await passwords(() => new Error('busy')).hash(password, 'bench');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `insert into auth.users (id, email, password, created_at)
     select gen_random_uuid(), 'user' || n || '@example.com', $1, now() from generate_series(1, $2) n`,
    [hash, users],
  );
  await client.end();
}

/** Somebody signs in every so often, whether those before are done or not. `stop` answers how many got in. */
function signInAll(url: string): { stop(): Promise<number> } {
  let stopped = false;
  let signedIn = 0;
  const under: Promise<void>[] = [];
  const one = async (user: number): Promise<void> => {
    const answer = await fetch(`${url}/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'sec-fetch-site': 'same-origin', origin: url },
      body: new URLSearchParams({ email: `user${user}@example.com`, password }),
    });
    await answer.text();
    if (answer.status === 303) signedIn++;
  };
  const coming = (async () => {
    for (let turn = 0; !stopped; turn++) {
      under.push(one((turn % users) + 1));
      await pause(1_000 / signInsPerSecond);
    }
  })();
  return {
    stop: async () => {
      stopped = true;
      await coming;
      await Promise.all(under);
      return signedIn;
    },
  };
}
