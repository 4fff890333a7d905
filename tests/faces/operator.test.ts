import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import pino from 'pino';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../../src/main/config.ts';
import { startOperator, type Operator, type ServedPart } from '../../src/main/operator.ts';
import { startApi } from '../../src/main/start-api.ts';
import { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { shipped } from '../../benches/support/shipped.ts';

const world = useWorld();
const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

const silent = pino({ level: 'silent' });

/** What the operator asks, of a process over this world's database or over another; the engine is away. */
async function ask(env: Record<string, string> = {}): Promise<Operator> {
  const operator = await startOperator(
    readConfig({
      DATABASE_URL: world().databaseUrl,
      ROSTRUM_SECRET: world().config.ROSTRUM_SECRET,
      RESTATE_INGRESS_URL: 'http://127.0.0.1:1',
      OPERATOR_PORT: '0',
      ...env,
    }),
    'api',
    silent,
  );
  operator.serve();
  stops.push(() => operator.close());
  return operator;
}

async function get(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers });
  const text = await response.text();
  const body = response.headers.get('content-type')?.includes('json') === true ? JSON.parse(text) : text;
  return { status: response.status, headers: response.headers, body };
}

test('the world gets nothing of it but whether the API answers', async () => {
  expect(await get(`${world().url}/health`)).toMatchObject({ status: 200, body: { status: 'ok' } });
  for (const path of ['/ready', '/metrics']) expect((await get(world().url + path)).status).toBe(404);
});

test.each<ServedPart>(['api', 'handlers', 'relay', 'mailbox', 'all'])(
  'serve %s answers the operator, by default at this machine alone',
  async (part) => {
    const child = spawn(process.execPath, [shipped, 'serve', part], {
      env: {
        ...process.env,
        DATABASE_URL: world().databaseUrl,
        DATABASE_ALLOW_SUPERUSER: 'true',
        ROSTRUM_SECRET: world().config.ROSTRUM_SECRET,
        RESTATE_ADMIN_URL: 'http://127.0.0.1:1',
        RESTATE_IDENTITY_KEY: 'publickeyv1_w7YHemBctH5Ck2nQRQ47iBBqhNHy4FV7t2Usbye2A6f',
        LOG_LEVEL: 'info',
        PORT: '0',
        HANDLERS_PORT: '0',
        MAILBOX_PORT: '0',
        OPERATOR_PORT: '0',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    stops.push(async () => child.kill('SIGKILL'));
    const said: string[] = [];
    for await (const line of createInterface({ input: child.stderr })) {
      said.push(line);
      const { url, msg } = JSON.parse(line) as { url?: string; msg: string };
      if (msg !== 'the operator is answered') continue;
      expect(new URL(url!).hostname).toBe('127.0.0.1');
      expect((await get(`${url}/health`)).status).toBe(200);
      // The handlers wait for an engine that is away: to answer is not to be ready.
      const ready = part === 'handlers' || part === 'all' ? 503 : 200;
      await expect.poll(async () => (await get(`${url}/ready`)).status).toBe(ready);
      expect((await get(`${url}/metrics`)).body).toContain('process_cpu_seconds_total');
      return;
    }
    expect.unreachable(said.join('\n'));
  },
);

describe('/ready', () => {
  test('says that it is ready although the engine is away: writes wait in the outbox', async () => {
    const { url } = await ask();
    const { status, body } = await get(`${url}/ready`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ready: true,
      phase: 'serving',
      checks: {
        database: { ok: true, detail: 'reachable and migrated' },
        engine: { ok: false },
        outbox: { ok: true },
      },
    });
  });

  test('is 503 while the process drains', async () => {
    const operator = await ask();
    operator.drain();
    expect(await get(`${operator.url}/ready`)).toMatchObject({
      status: 503,
      body: { ready: false, phase: 'draining', checks: { database: { ok: true } } },
    });
  });

  test('is 503 when the database is away, without its address', async () => {
    const { url } = await ask({ DATABASE_URL: 'postgres://somebody:secret@127.0.0.1:1/none' });
    const { status, body } = await get(`${url}/ready`);
    expect(status).toBe(503);
    expect(body).toMatchObject({ ready: false, checks: { database: { ok: false, detail: 'ECONNREFUSED' } } });
    expect(JSON.stringify(body)).not.toMatch(/secret|somebody/);
    expect((await get(`${url}/health`)).status).toBe(200);
    expect((await get(`${url}/metrics`)).status).toBe(503);
  });

  test('is 503 when a migration is missing, naming it', async () => {
    const { url } = await ask();
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
    const { url } = await ask();
    const { status, body } = await get(`${url}/ready`);
    expect(status).toBe(200);
    expect(body.checks.outbox).toEqual({
      ok: false,
      detail: expect.stringMatching(/waits 1[1-9]\d s, of organization [\da-f-]{36}$/),
    });
  });
});

describe('/metrics', () => {
  test('counts calls by face, operation and result, and names no organization or person', async () => {
    const { url, metrics } = await ask();
    const api = await startApi({ ...world().config, PORT: 0 }, silent, metrics);
    stops.push(() => api.close());
    const made = await world().newOrg();
    const org = new TestOrg(api.url, made.id, made.keyId, made.secret);
    const person_id = await org.person({ email: 'zyx@example.com' });
    await org.tool('get_person', { person_id });
    await org.tool('get_person', { person_id: 'nobody' });
    const { status, headers, body } = await get(`${url}/metrics`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/plain\b/);
    for (const labels of [
      'face="rest",operation="identify_person",result="200"',
      'face="mcp",operation="get_person",result="ok"',
      'face="mcp",operation="get_person",result="invalid_request"',
    ]) {
      expect(body).toMatch(new RegExp(`^rostrum_operation_seconds_count\\{${labels}\\} [1-9]`, 'm'));
    }
    expect(body).not.toMatch(new RegExp(`${org.id}|${person_id}|zyx@`));
  });

  test('counts what was turned away by reason, and what /mcp refused before a tool was called', async () => {
    const { url, metrics } = await ask();
    const config = { ...world().config, PORT: 0, UNKNOWN_KEYS_PER_MINUTE: 1 };
    const api = await startApi(config, silent, metrics);
    stops.push(() => api.close());
    vi.useFakeTimers({ toFake: ['Date'] }); // all of it within one minute
    stops.push(async () => void vi.useRealTimers());
    const authorization = `Bearer rk_test_${'a'.repeat(43)}`;
    for (const status of [401, 429, 429]) {
      const answer = await fetch(`${api.url}/mcp`, { method: 'POST', headers: { authorization } });
      expect(answer.status).toBe(status);
    }
    const { body } = await get(`${url}/metrics`);
    expect(body).toMatch(/^rostrum_calls_shed_total\{reason="unknown_keys"\} 2$/m);
    for (const [result, count] of [
      ['401', 1],
      ['429', 2],
    ]) {
      const labels = `face="mcp",operation="mcp",result="${result}"`;
      expect(body).toMatch(new RegExp(`^rostrum_operation_seconds_count\\{${labels}\\} ${count}$`, 'm'));
    }
  });

  test('asks for its token when one is set', async () => {
    const { url } = await ask({ METRICS_TOKEN: 'a token of sixteen' });
    for (const authorization of ['', 'Bearer a token of', 'a token of sixteen'])
      expect((await get(`${url}/metrics`, { authorization })).status).toBe(401);
    expect((await get(`${url}/metrics`, { authorization: 'Bearer a token of sixteen' })).status).toBe(200);
  });
});
