import { randomBytes } from 'node:crypto';
import pino from 'pino';
import type pg from 'pg';
import { openDatabase, openPool, type Database } from '../../src/database/pool.ts';
import type { ShedReason } from '../../src/kernel/shed.ts';
import { buildApi } from '../../src/main/build-api.ts';
import type { Config } from '../../src/main/config.ts';
import { httpCall } from '../support/http-call.ts';
import type { RestAnswer } from '../support/test-org.ts';
import type { World } from '../support/world.ts';

export const madeUp = (): string => `rk_test_${randomBytes(32).toString('base64url')}`;

export interface CountedApi {
  readonly database: Database;
  readonly shed: ShedReason[];
  /** How often a connection was asked for since the last time. */
  queries(): number;
  /** A call with a secret, through a proxy that says where it came from. */
  from(address: string, secret: string): Promise<RestAnswer>;
  toolFrom(address: string, secret: string): Promise<RestAnswer>;
  close(): Promise<void>;
}

/** A process of the API with connections of its own, which are counted. */
export async function startCounted(world: World, settings: Partial<Config>): Promise<CountedApi> {
  const config = { ...world.config, TRUST_PROXY: true, ...settings };
  const pool: pg.Pool = openPool({
    url: world.databaseUrl,
    size: config.DATABASE_POOL_SIZE,
    onError: () => undefined,
  });
  let taken = 0;
  pool.on('acquire', () => taken++);
  const database = openDatabase(pool);
  const shed: ShedReason[] = [];
  const log = pino({ level: 'silent' });
  const onShed = (reason: ShedReason) => void shed.push(reason);
  const app = await buildApi({ config, database, clock: world.clock, log, onShed });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const call = async (method: string, path: string, headers: Record<string, string>) => {
    const { text, ...answer } = await httpCall(url + path, { method, headers });
    return { ...answer, body: JSON.parse(text) };
  };
  return {
    database,
    shed,
    queries: () => {
      const before = taken;
      taken = 0;
      return before;
    },
    from: (address, secret) =>
      call('GET', '/v1/people', {
        authorization: secret,
        'auth-type': 'api',
        'x-forwarded-for': address,
      }),
    toolFrom: (address, secret) =>
      call('POST', '/mcp', { authorization: `Bearer ${secret}`, 'x-forwarded-for': address }),
    close: async () => {
      await app.close();
      await pool.end();
    },
  };
}
