import { expect, test } from 'vitest';
import type { TestOrg } from '../support/test-org.ts';
import { openWorld, useWorld } from '../support/world.ts';

const world = useWorld();

async function send(org: TestOrg, body: string, init: RequestInit = {}) {
  const response = await fetch(`${org.url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${org.secret}`, 'content-type': 'application/json' },
    body,
    ...init,
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

const message = (method: string, params?: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });

test.each([
  ['what is not JSON', '{', 400, -32_700],
  ['JSON that is no message', '{}', 400, -32_600],
  ['a method that is unknown', message('nothing/do'), 200, -32_601],
  ['a tool that is unknown', message('tools/call', { name: 'launch_rocket' }), 200, -32_602],
  ['a call without a name', message('tools/call', {}), 200, -32_602],
  [
    'arguments that are no object',
    message('tools/call', { name: 'list_people', arguments: [] }),
    200,
    -32_602,
  ],
])('%s is a fault of the protocol', async (_, body, status, code) => {
  const answer = await send(await world().newOrg(), body);
  expect(answer).toMatchObject({
    status,
    body: { jsonrpc: '2.0', error: { code, message: expect.any(String) } },
  });
});

test('a refused argument is no fault of the protocol, and arguments may be left out', async () => {
  const org = await world().newOrg();
  const refused = await send(org, message('tools/call', { name: 'list_people', arguments: { limit: 0 } }));
  expect(refused).toMatchObject({ status: 200, body: { id: 7, result: { isError: true } } });
  const served = await send(org, message('tools/call', { name: 'list_people' }));
  expect(served.body.result.structuredContent).toEqual({ people: [], total: 0, limit: 50, offset: 0 });
});

test('a client that takes plain JSON alone is served, in one JSON answer', async () => {
  const org = await world().newOrg();
  const headers = {
    authorization: `Bearer ${org.secret}`,
    'content-type': 'application/json',
    accept: 'application/json',
  };
  const answer = await send(org, message('tools/list'), { headers });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/);
  expect(answer.body.result.tools.length).toBeGreaterThan(0);
});

test('nothing is kept between requests: a call needs no handshake and answers no session', async () => {
  const org = await world().newOrg();
  const hello = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'a client', version: '1' },
  };
  const greeted = await send(org, message('initialize', hello));
  expect(greeted.body.result).toMatchObject({
    protocolVersion: '2025-11-25',
    serverInfo: { name: 'rostrum', version: '1.0.0' },
    capabilities: { tools: {} },
    instructions: expect.any(String),
  });
  expect(greeted.headers.get('mcp-session-id')).toBeNull();
});

test.each(['GET', 'DELETE'])(
  '%s is 405: there is no stream to open and no session to end',
  async (method) => {
    const org = await world().newOrg();
    const headers = { authorization: `Bearer ${org.secret}`, accept: 'text/event-stream' };
    const response = await fetch(`${org.url}/mcp`, { method, headers });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
    expect(await response.json()).toMatchObject({ error: { code: -32_000 } });
  },
);

test('a client that stays connected does not keep the service from stopping', async () => {
  const own = await openWorld();
  const org = await own.newOrg();
  expect((await send(org, message('ping'))).status).toBe(200);
  const headers = { authorization: `Bearer ${org.secret}`, accept: 'text/event-stream' };
  const stream = await fetch(`${org.url}/mcp`, { headers });
  const started = performance.now();
  await own.close();
  expect(performance.now() - started).toBeLessThan(50_000);
  await stream.body?.cancel();
});
