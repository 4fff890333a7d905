import { expect, test } from 'vitest';
import { operations } from '../../src/catalogue/operations.ts';
import { permissions, roles } from '../../src/kernel/caller.ts';
import type { AnyOperation } from '../../src/kernel/operation.ts';
import { auditOf } from '../support/audit.ts';
import { newMember } from '../support/member.ts';
import { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

test('a key is made, shown once, used, listed with its last use, and revoked within a second', async () => {
  const org = await world().newOrg();
  const admin = await newMember(world(), org, 'admin');
  const { status, body } = await admin.rest('POST /v1/api-keys', {
    name: 'Shop',
    permissions: ['people.read'],
  });
  expect(status).toBe(201);
  expect(body.api_key).toMatchObject({
    name: 'Shop',
    permissions: ['people.read'],
    state: 'valid',
    created_by: admin.user.userId,
    last_used_at: null,
    revoked_at: null,
  });
  expect(body.secret).toMatch(/^rk_test_[\w-]{43}$/);
  expect(body.secret.startsWith(body.api_key.prefix)).toBe(true);
  const { api_key_id } = body.api_key;
  const key = new TestOrg(world().url, org.id, api_key_id, body.secret);
  expect((await key.rest('GET /v1/people')).status).toBe(200);
  expect((await key.rest('GET /v1/settings')).status).toBe(403);
  const listed = async () =>
    (await admin.rest('GET /v1/api-keys')).body.api_keys.find(
      (one: { api_key_id: string }) => one.api_key_id === api_key_id,
    );
  await expect.poll(async () => (await listed()).last_used_at).not.toBeNull();
  expect(JSON.stringify(await listed())).not.toContain(body.secret);
  expect((await admin.rest(`DELETE /v1/api-keys/${api_key_id}`)).body.api_key.state).toBe('revoked');
  const since = performance.now();
  await expect.poll(async () => (await key.rest('GET /v1/people')).status, { interval: 50 }).toBe(401);
  expect(performance.now() - since).toBeLessThan(1_000);
  for (const operation of ['create_api_key', 'revoke_api_key'])
    expect(await auditOf(world(), org, operation)).toMatchObject([
      { ids: { api_key_id }, actor_id: admin.user.userId },
    ]);
});

test('a key without permissions gets all but settings.write', async () => {
  const owner = await newMember(world(), await world().newOrg(), 'owner');
  const { body } = await owner.rest('POST /v1/api-keys', { name: 'Shop' });
  expect(body.api_key.permissions).toEqual(permissions.filter((one) => one !== 'settings.write'));
});

test('the secret of a key is kept nowhere, also not in the answer to a repeated request', async () => {
  const org = await world().newOrg();
  const owner = await newMember(world(), org, 'owner');
  const make = () => owner.rest('POST /v1/api-keys', { name: 'Shop' }, { 'idempotency-key': 'one' });
  const [first, second] = [await make(), await make()];
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(second.body).toEqual({ ...first.body, secret: null });
  const { rows } = await world().admin.query(
    'select answer::text from idempotent_answers where org_id = $1',
    [org.id],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0].answer).not.toContain(first.body.secret);
});

test.each(roles)('role escalation: what keys %s can make and end', async (role) => {
  const org = await world().newOrg();
  const [member, other] = [await newMember(world(), org, role), await world().newKey(org, permissions)];
  const may = role === 'owner' || role === 'admin';
  const { status } = await member.rest('POST /v1/api-keys', { name: 'Mine', permissions });
  expect(status).toBe(may ? 201 : 403);
  expect((await member.rest(`DELETE /v1/api-keys/${other.keyId}`)).status).toBe(may ? 200 : 403);
  expect((await member.rest('GET /v1/api-keys')).status).toBe(200);
});

test('a key with every permission manages neither keys nor members', async () => {
  const org = await world().newOrg();
  const member = await newMember(world(), org, 'viewer');
  for (const [route, body] of [
    ['POST /v1/api-keys', { name: 'Another' }],
    [`DELETE /v1/api-keys/${org.keyId}`, undefined],
    ['POST /v1/invitations', { email: 'x@example.com', role: 'viewer' }],
    [`PATCH /v1/members/${member.user.userId}`, { role: 'admin' }],
    [`DELETE /v1/members/${member.user.userId}`, undefined],
  ] as const)
    expect([route, (await org.rest(route, body)).status]).toEqual([route, 403]);
  const names = await org.toolNames();
  const ofSessions = (operations as readonly AnyOperation[]).filter(
    ({ power }) => power === 'manage_access' || power === 'leave',
  );
  expect(ofSessions.filter(({ name }) => names.includes(name))).toEqual([]);
  expect(ofSessions.length).toBeGreaterThan(5);
});

test('a key expires at its time, which is in the future', async () => {
  const owner = await newMember(world(), await world().newOrg(), 'owner');
  const make = (expires_at: string) => owner.rest('POST /v1/api-keys', { name: 'Short', expires_at });
  expect((await make('2020-01-01T00:00:00Z')).status).toBe(400);
  expect((await make('2100-01-01T00:00:00Z')).body.api_key.expires_at).toBe('2100-01-01T00:00:00.000Z');
});
