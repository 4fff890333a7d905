import pino from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { openDatabase, openPool } from '../../src/database/pool.ts';
import { restateEngine } from '../../src/durable/engine.ts';
import { buildApi } from '../../src/main/build-api.ts';
import type { Config } from '../../src/main/config.ts';
import { asProblem, problem } from '../support/problem.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A process of its own over this world's database, or over another. */
async function startApi(config: Partial<Config>, databaseUrl = world().databaseUrl) {
  const pool = openPool({ url: databaseUrl, size: 2, onError: () => undefined });
  const app = await buildApi({
    config: { ...world().config, ...config },
    database: openDatabase(pool),
    engine: restateEngine(['http://127.0.0.1:1']),
    clock: world().clock,
    log: pino({ level: 'silent' }),
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  stops.push(
    () => app.close(),
    () => pool.end(),
  );
  return { url, app };
}

async function get(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers });
  const text = await response.text();
  const body = response.headers.get('content-type')?.includes('json') === true ? JSON.parse(text) : text;
  return { status: response.status, headers: response.headers, body };
}

test('/health answers without a credential', async () => {
  expect(await get(`${world().url}/health`)).toMatchObject({ status: 200, body: { status: 'ok' } });
});

describe('/ready', () => {
  test('says that it is ready although the engine is away: writes wait in the outbox', async () => {
    const { url } = await startApi({});
    const { status, body } = await get(`${url}/ready`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ready: true,
      draining: false,
      checks: {
        database: { ok: true, detail: 'reachable and migrated' },
        engine: { ok: false },
        outbox: { ok: true },
      },
    });
  });

  test('is 503 when the database is away, without its address', async () => {
    const { url } = await startApi({}, 'postgres://somebody:secret@127.0.0.1:1/none');
    const { status, body } = await get(`${url}/ready`);
    expect(status).toBe(503);
    expect(body).toMatchObject({ ready: false, checks: { database: { ok: false, detail: 'ECONNREFUSED' } } });
    expect(JSON.stringify(body)).not.toMatch(/secret|somebody/);
    expect((await get(`${url}/health`)).status).toBe(200);
  });

  test('is 503 when a migration is missing, naming it', async () => {
    const { url } = await startApi({});
    const { admin } = world();
    const { rows } = await admin.query<{ name: string }>(
      `delete from schema_migrations where name = (select max(name) from schema_migrations) returning *`,
    );
    try {
      const { status, body } = await get(`${url}/ready`);
      expect(status).toBe(503);
      expect(body.checks.database.detail).toContain(rows[0]!.name);
    } finally {
      const row = JSON.stringify(rows[0]);
      await admin.query(
        'insert into schema_migrations select * from json_populate_record(null::schema_migrations, $1)',
        [row],
      );
    }
    expect((await get(`${url}/ready`)).status).toBe(200);
  });

  test('tells how long the oldest message has waited', async () => {
    const org = await world().newOrg();
    await org.rest('POST /v1/property-configs', { key: 'vip', name: 'VIP', type: 'boolean' });
    await org.person({ email: 'ada@example.com', custom_properties: { vip: true } });
    await world().admin.query(`update outbox set created_at = now() - interval '2 minutes'`);
    const { status, body } = await get(`${world().url}/ready`);
    expect(status).toBe(200);
    expect(body.checks.outbox).toEqual({ ok: false, detail: expect.stringMatching(/waits 1[1-9]\d s$/) });
  });
});

describe('/metrics', () => {
  test('counts calls by face, operation and result, and names no organization or person', async () => {
    const org = await world().newOrg();
    const person_id = await org.person({ email: 'zyx@example.com' });
    await org.tool('get_person', { person_id });
    await org.tool('get_person', { person_id: 'nobody' });
    const { status, headers, body } = await get(`${world().url}/metrics`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/plain\b/);
    for (const labels of [
      'face="rest",operation="identify_person",result="200"',
      'face="mcp",operation="get_person",result="ok"',
      'face="mcp",operation="get_person",result="invalid_request"',
    ]) {
      expect(body).toMatch(new RegExp(`^rostrum_operation_seconds_count\\{${labels}\\} [1-9]`, 'm'));
    }
    expect(body).toContain('process_cpu_seconds_total');
    expect(body).not.toMatch(new RegExp(`${org.id}|${person_id}|zyx@`));
  });

  test('asks for its token when one is set', async () => {
    const { url } = await startApi({ METRICS_TOKEN: 'a token of sixteen' });
    for (const headers of [
      {},
      { authorization: 'Bearer a token of' },
      { authorization: 'a token of sixteen' },
    ]) {
      const answer = await get(`${url}/metrics`, headers as Record<string, string>);
      expect(asProblem(answer)).toEqual(problem(401, 'unauthenticated', '/metrics'));
    }
    expect((await get(`${url}/metrics`, { authorization: 'Bearer a token of sixteen' })).status).toBe(200);
  });
});
