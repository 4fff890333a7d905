import { accountTransaction, orgTransaction } from '../../src/database/org-transaction.ts';
import { openDatabase, openPool } from '../../src/database/pool.ts';
import { openSession } from '../../src/domain/accounts/session.ts';
import { addMember } from '../../src/domain/members/member.ts';
import { newId } from '../../src/kernel/ids.ts';
import { someIds } from '../people/some-ids.ts';
import { dropDatabase, seedDatabase, type BenchOrg } from '../support/bench-database.ts';
import type { Size } from '../support/command.ts';
import { atLeast, atMost, type Figure } from '../support/figure.ts';
import { load, type Load } from '../support/load.ts';
import { startServer } from '../support/server-process.ts';
import { shipped } from '../support/shipped.ts';

const population = {
  name: 'rostrum_bench_access',
  measured: [{ people: 10_000, properties: 5 }],
  others: { count: 0, people: 0, properties: 0 },
};
const rounds = { small: { count: 4, seconds: 0.5 }, full: { count: 9, seconds: 3 } };
const connections = 16;
const bar = 1.25;

/** get_person by the session of a member beside by a key, in turns on one API. */
export async function bySession(size: Size): Promise<Figure[]> {
  const database = await seedDatabase(population);
  const [org] = database.orgs as [BenchOrg];
  const server = await startServer([shipped, 'serve', 'api'], {
    DATABASE_URL: database.url,
    ROSTRUM_SECRET: 'a secret for benches that guards nothing',
    RATE_READ_PER_MINUTE: '1000000000',
  });
  try {
    const ids = await someIds(database.url, org);
    const ways = {
      key: { authorization: org.secret, 'auth-type': 'api' },
      session: {
        cookie: `__Host-rostrum-session=${await signIn(database.url, org)}`,
        'auth-type': 'session',
        'sec-fetch-site': 'same-origin',
        'rostrum-organization': org.id,
      },
    };
    const taken: Record<keyof typeof ways, Load[]> = { key: [], session: [] };
    const { count, seconds } = rounds[size];
    let at = 0;
    for (let round = -1; round < count; round++)
      for (const way of ['key', 'session'] as const) {
        const next = () =>
          ({ method: 'GET', path: `/v1/people/${ids[at++ % ids.length]}`, headers: ways[way] }) as const;
        const one = await load({ url: server.url, next, connections, seconds });
        if (round >= 0) taken[way].push(one); // the first round warms both
      }
    const middle = (way: keyof typeof ways, of: (one: Load) => number): number =>
      taken[way].map(of).toSorted((a, b) => a - b)[Math.floor(count / 2)]!;
    const [p50, throughput] = [(one: Load) => one.p50, (one: Load) => one.throughput];
    return [
      atMost('get_person by session, p50 ms, beside by key', middle('session', p50), middle('key', p50), bar),
      atLeast(
        'get_person by session, calls a second, beside by key',
        middle('session', throughput),
        middle('key', throughput),
        1 / bar,
      ),
    ];
  } finally {
    await server.stop();
    if (size === 'small') await dropDatabase(population);
  }
}

/** The token of a new user's session, who is a member of the organization. */
async function signIn(url: string, { id: org }: BenchOrg): Promise<string> {
  const pool = openPool({ url, size: 1, onError: () => undefined });
  const database = openDatabase(pool);
  const now = new Date();
  const userId = newId(now);
  const email = `${userId}@example.com`;
  const { token } = await accountTransaction(database, 'write', async (db) => {
    await db
      .insertInto('auth.users')
      .values({ id: userId, email, password: 'none that matches', created_at: now })
      .execute();
    return openSession(db, { id: userId, awaitsCode: false }, { address: '127.0.0.1', agent: 'bench' }, now);
  });
  await orgTransaction(database, org, 'write', (db) =>
    addMember(db, org, { userId, email, role: 'viewer' }, now),
  );
  await pool.end();
  return token;
}
