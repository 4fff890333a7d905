import pino from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { orgTransaction } from '../../src/database/org-transaction.ts';
import { createApiKey, revokeApiKey } from '../../src/domain/orgs/api-key.ts';
import { buildApi } from '../../src/main/build-api.ts';
import { permissions } from '../../src/kernel/caller.ts';
import { asProblem, problem } from '../support/problem.ts';
import { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

// Time stands still unless a test moves it.
let now = 0;
beforeEach(() => {
  now = Date.parse('2026-03-01T12:00:00Z');
  world().clock.now = () => new Date(now);
});
afterEach(() => {
  world().clock.now = () => new Date(now);
});

async function keyThatExpires(org: TestOrg, expiresAt: Date): Promise<TestOrg> {
  const key = await orgTransaction(world().database, org.id, 'write', (db) =>
    createApiKey(
      db,
      { id: org.id, mode: 'test' },
      { name: 'brief', permissions, expiresAt },
      world().clock.now(),
    ),
  );
  return new TestOrg(org.url, org.id, key.id, key.secret);
}

const revoke = (key: TestOrg) =>
  orgTransaction(world().database, key.id, 'write', (db) =>
    revokeApiKey(db, key.id, key.keyId, world().clock.now()),
  );

const statusOf = async (key: TestOrg): Promise<number> => (await key.rest('GET /v1/people')).status;

test.each([
  ['no credential', () => ({ authorization: '' }), 'Authorization'],
  ['no Auth-Type', () => ({ 'auth-type': '' }), 'Auth-Type: api'],
  ['another Auth-Type', () => ({ 'auth-type': 'oauth' }), 'Auth-Type: api'],
  [
    'Bearer before the key',
    (org: TestOrg) => ({ authorization: `Bearer ${org.secret}` }),
    'without "Bearer"',
  ],
  ['a key that nobody has', () => ({ authorization: `rk_test_${'a'.repeat(43)}` }), 'unknown'],
  ['what is no key at all', () => ({ authorization: 'hello' }), 'unknown'],
])('%s is 401 with WWW-Authenticate and a word on what to send', async (_, headers, word) => {
  const org = await world().newOrg();
  for (const path of ['/v1/people', '/v1/property-configs']) {
    const answer = await org.rest(`GET ${path}`, undefined, headers(org));
    expect(asProblem(answer)).toEqual(problem(401, 'unauthenticated', path));
    expect(answer.headers.get('www-authenticate')).toBe('ApiKey realm="rostrum"');
    expect(answer.body.detail).toContain(word);
  }
});

test('at the tool endpoint a missing or unknown credential is 401 with WWW-Authenticate', async () => {
  const org = await world().newOrg();
  for (const headers of [{}, { authorization: org.secret }, { authorization: 'Bearer nobody' }]) {
    const response = await fetch(`${org.url}/mcp`, { method: 'POST', headers });
    const { status, headers: answered } = response;
    const answer = { status, headers: answered, body: await response.json() };
    expect(asProblem(answer)).toEqual(problem(401, 'unauthenticated', '/mcp'));
    expect(answered.get('www-authenticate')).toMatch(
      /^Bearer realm="rostrum", (error="invalid_token", )?resource_metadata="http[^"]+"$/,
    );
  }
});

test('a revoked key stops working within a second on every process and face; the others go on', async () => {
  const second = await buildApi({
    config: world().config,
    database: world().database,
    clock: world().clock,
    log: pino({ level: 'silent' }),
  });
  const url = await second.listen({ host: '127.0.0.1', port: 0 });
  const org = await world().newOrg();
  const key = await world().newKey(org, permissions);
  const elsewhere = new TestOrg(url, key.id, key.keyId, key.secret);
  expect([await statusOf(key), await statusOf(elsewhere)]).toEqual([200, 200]);
  expect(await revoke(key)).toBe(true);
  now += 999;
  for (const one of [key, elsewhere]) {
    const answer = await one.rest('GET /v1/people');
    expect(asProblem(answer)).toEqual(problem(401, 'unauthenticated', '/v1/people'));
    expect(await one.rpc('tools/list', {})).toMatchObject({ status: 401, code: 'unauthenticated' });
  }
  expect(await statusOf(org)).toBe(200);
  now += 86_400_000;
  expect(await statusOf(key)).toBe(401);
  await second.close();
});

test('a revocation stands: revoking again does not move it', async () => {
  const org = await world().newOrg();
  const key = await world().newKey(org, permissions);
  await revoke(key);
  now += 5_000;
  expect(await revoke(key)).toBe(false);
  const { rows } = await world().admin.query('select revoked_at from api_keys where id = $1', [key.keyId]);
  expect(rows).toEqual([{ revoked_at: new Date(now - 5_000) }]);
});

test('a key works until the moment it expires and not from then on, though it was just used', async () => {
  const org = await world().newOrg();
  const key = await keyThatExpires(org, new Date(now + 60_000));
  now += 59_999;
  expect(await statusOf(key)).toBe(200);
  now += 1;
  expect(await statusOf(key)).toBe(401);
  expect(await statusOf(org)).toBe(200);
});

test('last_used_at is noted at first use and then by the minute', async () => {
  const org = await world().newOrg();
  const lastUsed = async () => {
    const { rows } = await world().admin.query('select last_used_at from api_keys where id = $1', [
      org.keyId,
    ]);
    return rows[0].last_used_at as Date | null;
  };
  expect(await lastUsed()).toBeNull();
  const first = new Date(now);
  await statusOf(org);
  await vi.waitFor(async () => expect(await lastUsed()).toEqual(first), 20_000);
  now += 59_000;
  await statusOf(org);
  now += 1_000;
  await org.tool('list_people');
  await vi.waitFor(async () => expect(await lastUsed()).toEqual(new Date(first.getTime() + 60_000)), 20_000);
});

test('a secret has 256 bits, is kept hashed and is found in no table', async () => {
  const org = await world().newOrg();
  expect(org.secret).toMatch(/^rk_test_[\w-]{43}$/);
  const { rows } = await world().admin.query<{ row: string }>(
    'select k::text as row from api_keys k where id = $1',
    [org.keyId],
  );
  expect(rows[0]!.row).not.toContain(org.secret.slice(12));
  expect(world().logLines.join('')).not.toContain(org.secret.slice(12));
});
