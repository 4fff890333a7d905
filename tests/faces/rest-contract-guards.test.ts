import { request } from 'node:http';
import { expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';

const world = useWorld({ env: { MCP_ORIGINS: 'https://assistant.example, https://other.example:8443' } });

const pages = ['/docs', '/docs/', '/docs/errors', '/docs/errors/not_found', '/u/unknown', '/c/unknown/0'];
const others = [
  '/v1/people',
  '/v1/openapi.json',
  '/mcp',
  '/nowhere',
  '/health/live',
  '/health/ready',
  '/o/x.gif',
];

test.each([...pages, ...others])(
  '%s is kept by nobody, taken for what it is, and framed by nobody',
  async (path) => {
    const { headers } = await fetch(world().url + path, { redirect: 'manual' });
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringMatching(/^default-src '(none|self)'.*frame-ancestors 'none'/),
    });
  },
);

test('answers about people are kept by nobody either', async () => {
  const org = await world().newOrg();
  const id = await org.person({ email: 'ada@example.com' });
  for (const route of [`GET /v1/people/${id}`, 'GET /v1/people', 'GET /v1/people/x']) {
    expect((await org.rest(route)).headers.get('cache-control')).toBe('no-store');
  }
});

test('AUT-001 DEC-001 a refusal is application/json, and problem+json for whoever accepts that', async () => {
  const org = await world().newOrg();
  const typeFor = async (accept?: string) =>
    (await org.rest('GET /v1/people/x', undefined, accept === undefined ? {} : { accept })).headers
      .get('content-type')
      ?.split(';')[0];
  expect(await typeFor()).toBe('application/json');
  expect(await typeFor('*/*')).toBe('application/json');
  expect(await typeFor('application/json')).toBe('application/json');
  expect(await typeFor('application/problem+json, application/json')).toBe('application/problem+json');
});

/** fetch joins headers of one name; this does not. */
const statusWith = (path: string, method: string, headers: readonly string[]): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(world().url + path, { method, headers: headers as string[] }, (answer) => {
      answer.resume();
      resolve(answer.statusCode!);
    });
    sent.once('error', reject);
    sent.end(method === 'POST' ? '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' : undefined);
  });

test('two credentials are none', async () => {
  const { secret } = await world().newOrg();
  const rest = (...more: string[]) =>
    statusWith('/v1/people', 'GET', ['Host', 'x', 'Auth-Type', 'api', 'Authorization', secret, ...more]);
  expect(await rest()).toBe(200);
  expect(await rest('authorization', secret)).toBe(401);
  expect(await rest('Authorization', 'rk_test_other')).toBe(401);
  const json = ['Host', 'x', 'Content-Type', 'application/json', 'Authorization', `Bearer ${secret}`];
  expect(await statusWith('/mcp', 'POST', json)).toBe(200);
  expect(await statusWith('/mcp', 'POST', [...json, 'Authorization', `Bearer ${secret}`])).toBe(401);
});

test('a page may call tools only where its origin is one of ours or was named', async () => {
  const { secret } = await world().newOrg();
  const from = async (origin?: string) =>
    (
      await fetch(`${world().url}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${secret}`,
          'content-type': 'application/json',
          ...(origin !== undefined && { origin }),
        },
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      })
    ).status;
  for (const origin of [undefined, world().url, 'https://assistant.example', 'https://other.example:8443'])
    expect([origin, await from(origin)]).toEqual([origin, 200]);
  for (const origin of [
    'https://evil.example',
    'null',
    'https://assistant.example.evil.example',
    'http://assistant.example',
  ])
    expect([origin, await from(origin)]).toEqual([origin, 403]);
});
