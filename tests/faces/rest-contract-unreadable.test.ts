import net from 'node:net';
import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { openDatabase, openPool } from '../../src/database/pool.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { buildApi } from '../../src/main/build-api.ts';
import { asProblem, problem } from '../support/problem.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

describe('what never reaches an operation', () => {
  test.each([
    'POST /',
    'GET /v1',
    'GET /v1/',
    'GET /v1/nothing',
    'POST /v1/people',
    'DELETE /v1/people',
    'OPTIONS /v1/people',
    'GET /docs/errors/nothing',
  ])('no route answers %s', async (route) => {
    const org = await world().newOrg();
    expect(asProblem(await org.rest(route))).toEqual(problem(404, 'route_not_found', route.split(' ')[1]!));
  });

  test.each([
    '{',
    '{"email":"ada@example.com"',
    'email=ada',
    "{'email':1}",
    '{"a":1}}',
    '{"__proto__":{"a":1}}',
    '\uFEFF{',
  ])('the body %j is not JSON', async (body) => {
    const org = await world().newOrg();
    const answer = await org.rest('POST /v1/people/identify', body);
    expect(asProblem(answer)).toEqual(problem(400, 'malformed_json', '/v1/people/identify'));
  });

  test.each(['[]', '"text"', '12', 'true'])('the body %s is JSON, and no object', async (body) => {
    const org = await world().newOrg();
    const answer = await org.rest('POST /v1/people/identify', body);
    expect(asProblem(answer)).toEqual(problem(400, 'invalid_request', '/v1/people/identify'));
  });

  test('text that no database could keep, and nesting without end, are pointed at', async () => {
    const org = await world().newOrg();
    const hostile = await org.rest(
      'POST /v1/people/identify',
      '{"email":"a@example.com","first_name":"A\\u0000"}',
    );
    expect(asProblem(hostile)).toEqual(problem(400, 'invalid_request', '/v1/people/identify'));
    expect(hostile.body.errors).toMatchObject([{ pointer: '/first_name', code: 'not_text' }]);
    const deep = await org.rest(
      'POST /v1/people/identify',
      '{"custom_properties":'.repeat(50) + '1' + '}'.repeat(50),
    );
    expect(asProblem(deep)).toEqual(problem(400, 'invalid_request', '/v1/people/identify'));
    expect(deep.body.errors).toMatchObject([{ code: 'too_deep' }]);
  });

  test('a body of another type or without one', async () => {
    const org = await world().newOrg();
    for (const type of ['text/plain', 'application/xml', 'application/jsonp']) {
      const answer = await org.rest('POST /v1/people/identify', '{}', { 'content-type': type });
      expect(asProblem(answer)).toEqual(problem(415, 'unsupported_media_type', '/v1/people/identify'));
    }
  });

  test('a body that is too large, told or not told beforehand', async () => {
    const org = await world().newOrg();
    const large = JSON.stringify({ email: 'a'.repeat(world().config.BODY_LIMIT_BYTES) });
    const told = await org.rest('POST /v1/people/identify', large);
    expect(asProblem(told)).toEqual(problem(413, 'too_large', '/v1/people/identify'));
    const response = await fetch(`${org.url}/v1/people/identify`, {
      method: 'POST',
      headers: { authorization: org.secret, 'auth-type': 'api', 'content-type': 'application/json' },
      body: new Blob([large]).stream(),
      duplex: 'half',
    });
    const streamed = { status: response.status, headers: response.headers, body: await response.json() };
    expect(asProblem(streamed)).toEqual(problem(413, 'too_large', '/v1/people/identify'));
  });

  test('a path that is no URL, or has a part longer than any id', async () => {
    const org = await world().newOrg();
    expect(asProblem(await org.rest('GET /v1/people/%zz'))).toEqual(
      problem(400, 'invalid_request', '/v1/people/%zz'),
    );
    const long = `/v1/people/${'a'.repeat(300)}`;
    expect(asProblem(await org.rest(`GET ${long}`))).toEqual(problem(400, 'invalid_request', long));
  });

  test.each([
    [
      'headers beyond any measure',
      `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`,
      413,
      'too_large',
    ],
    ['what is not HTTP', 'HELLO\r\n\r\n', 400, 'invalid_request'],
  ] as const)('%s', async (_, sent, status, code) => {
    const [head = '', body = ''] = (await writeRaw(world().url, sent)).split('\r\n\r\n');
    const [first, ...lines] = head.split('\r\n');
    expect(first).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const headers = new Headers(
      lines.map((line): [string, string] => [line.split(': ')[0]!, line.split(': ')[1]!]),
    );
    expect(asProblem({ status, headers, body: JSON.parse(body) })).toEqual(problem(status, code, '/'));
  });
});

describe('what is not the fault of the caller', () => {
  test('a fault inside answers 500 and tells nothing of itself, neither to the caller nor to the log', async () => {
    const org = await world().newOrg();
    const path = `/v1/people/${await org.person({ email: 'ada@example.com' })}/subscriptions`;
    await world().admin.query('alter table subscriptions rename to elsewhere');
    try {
      const answer = await org.rest(`GET ${path}`);
      expect(asProblem(answer)).toEqual(problem(500, 'internal', path));
      expect(JSON.stringify(answer.body)).not.toMatch(/relation|select|elsewhere|42P01/i);
      const logged = world()
        .logLines.filter((line) => line.includes(answer.body.request_id))
        .join();
      expect(logged).toContain('42P01');
      expect(logged).toContain(' at '); // where it happened is told
      expect(logged).not.toMatch(/relation \\"/);
    } finally {
      await world().admin.query('alter table elsewhere rename to subscriptions');
    }
  });

  test('a database that is away answers 503 with Retry-After on every face', async () => {
    const pool = openPool({ url: 'postgres://postgres@127.0.0.1:1/none', size: 1, onError: () => undefined });
    const app = await buildApi({
      config: world().config,
      database: openDatabase(pool),
      clock: systemClock,
      log: pino({ level: 'silent' }),
    });
    const key = `rk_test_${'a'.repeat(43)}`;
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    for (const route of ['GET /v1/people', 'POST /mcp']) {
      const [method = '', path = ''] = route.split(' ');
      const response = await fetch(url + path, {
        method,
        headers: { authorization: key, 'auth-type': 'api' },
      });
      const { status, headers } = response;
      expect(asProblem({ status, headers, body: await response.json() })).toEqual(
        problem(503, 'unavailable', path),
      );
      expect(headers.get('retry-after')).toBe('5');
    }
    await app.close();
    await pool.end();
  });
});

function writeRaw(url: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (part) => (answer += String(part)));
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
    socket.write(text);
  });
}
