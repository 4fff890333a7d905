import { createHash, randomBytes } from 'node:crypto';
import { orgTransaction } from '../../src/database/org-transaction.ts';
import { openDatabase, openPool } from '../../src/database/pool.ts';
import { exchangeCode } from '../../src/domain/connections/exchange-code.ts';
import { grantConnection } from '../../src/domain/connections/grant-connection.ts';
import { addMember } from '../../src/domain/members/member.ts';
import { newId } from '../../src/kernel/ids.ts';
import { someIds } from '../people/some-ids.ts';
import { dropDatabase, seedDatabase, type BenchOrg } from '../support/bench-database.ts';
import type { Size } from '../support/command.ts';
import { atLeast, atMost, type Figure } from '../support/figure.ts';
import { load, type Load } from '../support/load.ts';
import type { Call } from '../support/send-call.ts';
import { startServer } from '../support/server-process.ts';
import { shipped } from '../support/shipped.ts';

const population = {
  name: 'rostrum_bench_connections',
  measured: [{ people: 10_000, properties: 5 }],
  others: { count: 0, people: 0, properties: 0 },
};
const rounds = { small: { count: 4, seconds: 0.5 }, full: { count: 9, seconds: 3 } };
const connections = 16;
const bar = 1.25;

/** get_person as a tool, by a connection beside by a key, in turns on one API. */
export async function byConnection(size: Size): Promise<Figure[]> {
  const database = await seedDatabase(population);
  const [org] = database.orgs as [BenchOrg];
  const server = await startServer([shipped, 'serve', 'api'], {
    DATABASE_URL: database.url,
    ROSTRUM_SECRET: 'a secret for benches that guards nothing',
    RATE_READ_PER_MINUTE: '1000000000',
  });
  try {
    const ids = await someIds(database.url, org);
    const secrets = { key: org.secret, connection: await connect(database.url, org) };
    const taken: Record<keyof typeof secrets, Load[]> = { key: [], connection: [] };
    const { count, seconds } = rounds[size];
    let at = 0;
    for (let round = -1; round < count; round++)
      for (const way of ['key', 'connection'] as const) {
        const next = () => getPerson(ids[at++ % ids.length]!, secrets[way]);
        const one = await load({ url: server.url, next, connections, seconds });
        if (round >= 0) taken[way].push(one); // the first round warms both
      }
    const middle = (way: keyof typeof secrets, of: (one: Load) => number): number =>
      taken[way].map(of).toSorted((a, b) => a - b)[Math.floor(count / 2)]!;
    const [p50, throughput] = [(one: Load) => one.p50, (one: Load) => one.throughput];
    return [
      atMost(
        'get_person as a tool by connection, p50 ms, beside by key',
        middle('connection', p50),
        middle('key', p50),
        bar,
      ),
      atLeast(
        'get_person as a tool by connection, calls a second, beside by key',
        middle('connection', throughput),
        middle('key', throughput),
        1 / bar,
      ),
    ];
  } finally {
    await server.stop();
    if (size === 'small') await dropDatabase(population);
  }
}

const getPerson = (person_id: string, secret: string): Call => ({
  method: 'POST',
  path: '/mcp',
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'get_person', arguments: { person_id } },
  }),
  headers: { authorization: `Bearer ${secret}`, accept: 'application/json, text/event-stream' },
});

/** The token of a connection that a new member granted. */
async function connect(url: string, { id: org }: BenchOrg): Promise<string> {
  const pool = openPool({ url, size: 1, onError: () => undefined });
  const database = openDatabase(pool);
  const now = new Date();
  const [userId, clientId] = [newId(now), newId(now)];
  await orgTransaction(database, org, 'write', (db) =>
    addMember(db, org, { userId, email: `${userId}@example.com`, role: 'viewer' }, now),
  );
  const verifier = randomBytes(32).toString('base64url');
  const redirectUri = 'http://127.0.0.1/';
  const asking = { requestId: 'bench', address: '127.0.0.1' };
  const request = {
    client: { id: clientId, name: 'Bench', redirectUris: [redirectUri], host: null },
    redirectUri,
    challenge: createHash('sha256').update(verifier).digest('base64url'),
    scopes: ['people.read'],
    state: undefined,
  } as const;
  const grant = { request, org, userId, permissions: ['people.read'], ...asking } as const;
  const code = await grantConnection(database, grant, now);
  const given = { ...asking, clientId, code: code!, verifier, redirectUri };
  const issued = await exchangeCode({ database }, given, now);
  await pool.end();
  return issued!.access;
}
