import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { lockWaits } from '../support/lock-waits.ts';
import { measured } from '../support/measured.ts';
import type { RestAnswer, TestOrg } from '../support/test-org.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld({ env: { RATE_HEAVY_PER_MINUTE: '150', DATABASE_POOL_SIZE: '16' } });

const minuteNow = (): number => Math.floor(Date.now() / 60_000);

interface ToolResult {
  readonly result: { readonly isError?: boolean; readonly structuredContent: { readonly code?: string } };
}

/** Calls that wait for a row that somebody else holds, until `letGo`. */
async function stuckCalls(org: TestOrg, count: number) {
  const person = await org.person({ email: 'held@example.com' });
  const holder = new pg.Client({ connectionString: world().databaseUrl });
  await holder.connect();
  await holder.query('begin');
  await holder.query(`select 1 from people where id = '${person}' for update`);
  const answers = Array.from({ length: count }, () =>
    org.rest(`PATCH /v1/people/${person}/opt-outs`, { email_opt_out: true }),
  );
  await vi.waitFor(async () => expect(await lockWaits(world().admin)).toBeGreaterThan(3), 20_000);
  return {
    answers: async () => (await Promise.all(answers)).map(({ status }) => status),
    letGo: async () => {
      await holder.query('rollback');
      await holder.end();
    },
  };
}

test("an organization's calls that hang take nothing from another's, and go on afterwards", async () => {
  const [one, other] = [await world().newOrg(), await world().newOrg()];
  const person = await other.person({ email: 'quick@example.com' });
  const stuck = await stuckCalls(one, 60);
  const quick = await Promise.all(Array.from({ length: 20 }, () => other.rest(`GET /v1/people/${person}`)));
  expect(quick.map(({ status }) => status)).toEqual(quick.map(() => 200));
  // It never had all of the connections.
  expect(await lockWaits(world().admin)).toBeLessThan(10);
  await stuck.letGo();
  expect(await stuck.answers()).toEqual(Array.from({ length: 60 }, () => 200));
});

test('more calls of an organization than may wait are refused at once, and told when to come back', async () => {
  const org = await world().newOrg();
  const stuck = await stuckCalls(org, 120);
  const refused: RestAnswer[] = [];
  const further = Array.from({ length: 60 }, async () => {
    const answer = await org.rest('GET /v1/settings');
    if (answer.status === 429) refused.push(answer);
  });
  // Long before those that wait have waited for ten seconds, and are refused, too.
  await vi.waitFor(() => expect(refused.length).toBeGreaterThan(10), 8_000);
  expect(refused[0]!.headers.get('retry-after')).toBe('1');
  expect(refused[0]!.body).toMatchObject({ code: 'rate_limited', detail: /Too many calls/ });
  await stuck.letGo();
  await Promise.all(further);
  expect(await stuck.answers()).toEqual(expect.arrayContaining([200]));
});

test('requests whose clients hang up while they wait hold no place afterwards', async () => {
  const org = await world().newOrg();
  const stuck = await stuckCalls(org, 20);
  const headers = { authorization: org.secret, 'auth-type': 'api', 'content-type': 'application/json' };
  const gone = Array.from({ length: 40 }, async (_, at) => {
    const method = at % 2 === 0 ? 'GET' : 'POST';
    const url = `${world().url}/v1/${method === 'GET' ? 'settings' : 'people/identify'}`;
    const body = method === 'GET' ? {} : { body: JSON.stringify({ email: 'gone@example.com' }) };
    await fetch(url, { method, headers, ...body, signal: AbortSignal.timeout(300) });
  });
  expect((await Promise.allSettled(gone)).map(({ status }) => status)).toEqual(gone.map(() => 'rejected'));
  await stuck.letGo();
  expect(await stuck.answers()).toEqual(expect.arrayContaining([200]));
  // As many at once as there are places, several times over.
  const settings = await Promise.all(Array.from({ length: 40 }, () => org.rest('GET /v1/settings')));
  expect(settings.map(({ status }) => status)).toEqual(settings.map(() => 200));
});

test('calls of a batch of tools are counted one by one', async () => {
  const [one, other] = [await world().newOrg(), await world().newOrg()];
  const person = await other.person({ email: 'quick@example.com' });
  const stuck = await stuckCalls(one, 10);
  const batch = Array.from({ length: 100 }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'search_people', arguments: { query: 'held' } },
  }));
  const began = minuteNow();
  const answering = [1, 2].map(() => one.rest('POST /mcp', batch, { 'mcp-protocol-version': '2025-03-26' }));
  expect((await other.rest(`GET /v1/people/${person}`)).status).toBe(200);
  await stuck.letGo();
  const results = (await Promise.all(answering)).flatMap(({ body }) => body as ToolResult[]);
  const codes = results.map(({ result }) => (result.isError === true ? result.structuredContent.code : 'ok'));
  expect(codes).toHaveLength(200);
  expect(['ok', 'rate_limited']).toEqual(expect.arrayContaining(codes));
  // At the turn of a minute the count begins anew. On a slow machine a call counts for more than one.
  const most = 150 * (1 + minuteNow() - began);
  expect(codes.filter((code) => code === 'ok').length).toBeLessThanOrEqual(most);
  expect(codes).toContain('ok');
});

test('whoever hangs up during a batch of tools has the rest of it not done', async () => {
  const org = await world().newOrg();
  const person = await org.person({ email: 'held@example.com' });
  const holder = new pg.Client({ connectionString: world().databaseUrl });
  await holder.connect();
  await holder.query('begin');
  await holder.query(`select 1 from people where id = '${person}' for update`);
  const batch = Array.from({ length: 50 }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: {
      name: 'identify_person',
      arguments:
        id === 0 ? { email: 'held@example.com', first_name: 'Held' } : { email: `late-${id}@example.com` },
    },
  }));
  const hangUp = new AbortController();
  const asked = fetch(`${world().url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${org.secret}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-03-26',
    },
    body: JSON.stringify(batch),
    signal: hangUp.signal,
  });
  await vi.waitFor(async () => expect(await lockWaits(world().admin)).toBeGreaterThan(0), 20_000);
  hangUp.abort();
  await expect(asked).rejects.toThrow(/abort/i);
  expect((await org.rest('GET /v1/settings')).status).toBe(200); // it has been noticed by now
  await holder.query('rollback');
  await holder.end();
  await vi.waitFor(async () => {
    const { body } = await org.rest(`GET /v1/people/${person}`);
    expect(body.person.first_name).toBe('Held');
  }, 20_000);
  await pause(1_000); // in which the others would be done
  const { body } = await org.rest('GET /v1/people');
  expect(body.total).toBe(1);
});

test(
  'long bodies are checked without a connection: others are answered meanwhile, nobody with 500 or 503',
  measured,
  async () => {
    const [one, other] = [await world().newOrg(), await world().newOrg()];
    const person = await other.person({ email: 'quick@example.com' });
    const html = '<p>Hello <em>there</em>, 50% &amp; more.</p>\n'.repeat(5_800);
    const together = isLong ? 24 : 12;
    let open = together;
    const write = (): Promise<RestAnswer> =>
      one.rest('POST /v1/broadcasts', { audience: 'everyone', subject: 'A draft', html });
    const began = performance.now();
    expect((await write()).status).toBe(201);
    // A heavy place rests eight times as long as it was taken, and whoever has waited for ten seconds is refused.
    const inTime = Math.floor(10_000 / (9 * (performance.now() - began)));
    const drafts = Array.from({ length: open }, () => write().finally(() => open--));
    const quick: number[] = [];
    while (open > 0) quick.push((await other.rest(`GET /v1/people/${person}`)).status);
    expect(quick.length).toBeGreaterThan(together);
    expect(new Set(quick)).toEqual(new Set([200]));
    // On a slow machine the last have waited for ten seconds, and are told to come back. Then one is taken.
    const statuses = (await Promise.all(drafts)).map(({ status }) => status);
    const taken = statuses.filter((status) => status === 201).length;
    expect(taken).toBeGreaterThanOrEqual(Math.min(4, Math.max(1, inTime)));
    expect(statuses.filter((status) => status === 429)).toHaveLength(together - taken);
    await vi.waitFor(async () => expect((await write()).status).toBe(201), 40_000);
  },
);
