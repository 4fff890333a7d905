import { afterEach, expect, test } from 'vitest';
import { lockWaits } from '../support/lock-waits.ts';
import { contentsOf } from '../support/org-contents.ts';
import { asProblem, problem } from '../support/problem.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const machineTime = () => new Date();
afterEach(() => {
  world().clock.now = machineTime;
});

const contents = (org: TestOrg) => contentsOf(world().admin, org);
const config = { key: 'tier', name: 'Tier', type: 'string' };
const create = (org: TestOrg, key: string, fields: object = {}) =>
  org.rest('POST /v1/property-configs', { ...config, ...fields }, { 'idempotency-key': key });

test('the same key and body answer as the first time, marked as a replay, and write nothing more', async () => {
  const org = await world().newOrg();
  const first = await create(org, 'one');
  expect(first.status).toBe(201);
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  const before = await contents(org);
  const again = await create(org, 'one');
  expect(again).toMatchObject({ status: 201, body: first.body });
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.headers.get('request-id')).not.toBe(first.headers.get('request-id'));
  expect(await contents(org)).toEqual(before);
});

test('a replay tells what was true then, also when the thing is gone', async () => {
  const org = await world().newOrg();
  const first = await create(org, 'one');
  await org.rest(`DELETE /v1/property-configs/${first.body.property_config.id}`);
  const again = await create(org, 'one');
  expect(again).toMatchObject({ status: 201, body: first.body });
  expect((await org.rest('GET /v1/property-configs')).body.property_configs).toEqual([]);
});

test('PATCH takes a key as well', async () => {
  const org = await world().newOrg();
  const path = `/v1/people/${await org.person({ email: 'ada@example.com' })}/opt-outs`;
  const key = { 'idempotency-key': 'once' };
  await org.rest(`PATCH ${path}`, { email_opt_out: true }, key);
  await org.rest(`PATCH ${path}`, { email_opt_out: false });
  const again = await org.rest(`PATCH ${path}`, { email_opt_out: true }, key);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect((await org.rest(`GET ${path}`)).body.opt_outs.email_opt_out).toBe(false);
});

test('the same key with another body, or for another thing, is refused and writes nothing', async () => {
  const org = await world().newOrg();
  await create(org, 'one');
  const people = [await org.person({ email: 'a@example.com' }), await org.person({ email: 'b@example.com' })];
  const [mine, other] = people.map((id) => `/v1/people/${id}/opt-outs`);
  await org.rest(`PATCH ${mine}`, { sms_opt_out: true }, { 'idempotency-key': 'one' });
  const before = await contents(org);
  const renamed = await create(org, 'one', { name: 'Rank' });
  expect(asProblem(renamed)).toEqual(problem(409, 'idempotency_key_reused', '/v1/property-configs'));
  const moved = await org.rest(`PATCH ${other}`, { sms_opt_out: true }, { 'idempotency-key': 'one' });
  expect(asProblem(moved)).toEqual(problem(409, 'idempotency_key_reused', other!));
  expect(await contents(org)).toEqual(before);
});

test('a key belongs to one organization and one route', async () => {
  const [org, other] = [await world().newOrg(), await world().newOrg()];
  expect((await create(org, 'shared')).status).toBe(201);
  expect((await create(other, 'shared', { name: 'Other' })).status).toBe(201);
  const sent = { email: 'ada@example.com' };
  const elsewhere = await org.rest('POST /v1/people/identify', sent, { 'idempotency-key': 'shared' });
  expect(elsewhere).toMatchObject({ status: 200, body: { created: true } });
});

test('while the first is running the second is told to wait, and afterwards gets its answer', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'ada@example.com' });
  const path = `/v1/people/${person_id}/opt-outs`;
  const call = () => org.rest(`PATCH ${path}`, { email_opt_out: true }, { 'idempotency-key': 'slow' });
  const { admin } = world();
  await admin.query('begin');
  await admin.query('select 1 from people where id = $1 for update', [person_id]);
  const first = call();
  await expect.poll(() => lockWaits(admin)).toBe(1);
  const second = await call();
  expect(asProblem(second)).toEqual(problem(409, 'idempotency_in_progress', path));
  expect(second.headers.get('retry-after')).toBe('1');
  await admin.query('rollback');
  const answered = await first;
  expect(answered.status).toBe(200);
  const third = await call();
  expect(third).toMatchObject({ status: 200, body: answered.body });
  expect(third.headers.get('idempotent-replayed')).toBe('true');
});

test('of many at once one runs, and no other is answered as if it were a different request', async () => {
  const org = await world().newOrg();
  const answers = await Promise.all(Array.from({ length: 10 }, () => create(org, 'crowd')));
  const fresh = answers.filter(
    ({ status, headers }) => status === 201 && headers.get('idempotent-replayed') === null,
  );
  expect(fresh).toHaveLength(1);
  for (const { status, body } of answers.filter((answer) => answer !== fresh[0])) {
    expect([201, 'idempotency_in_progress']).toContain(status === 201 ? 201 : body.code);
  }
});

test('an answer is kept for 24 hours and not longer', async () => {
  const org = await world().newOrg();
  const start = Date.now();
  world().clock.now = () => new Date(start);
  const first = await create(org, 'daily');
  await org.rest(`DELETE /v1/property-configs/${first.body.property_config.id}`);
  world().clock.now = () => new Date(start + 24 * 3_600_000 - 1);
  expect((await create(org, 'daily')).body).toEqual(first.body);
  world().clock.now = () => new Date(start + 24 * 3_600_000);
  const anew = await create(org, 'daily', { name: 'Another request' });
  expect(anew).toMatchObject({ status: 201, body: { property_config: { name: 'Another request' } } });
  expect(anew.headers.get('idempotent-replayed')).toBeNull();
  const replayed = await create(org, 'daily', { name: 'Another request' });
  expect(replayed.body).toEqual(anew.body);
});

test('a refusal is not kept: the same key may be tried again, with the same body or a mended one', async () => {
  const org = await world().newOrg();
  const key = { 'idempotency-key': 'again' };
  const sent = { email: 'ada@example.com', custom_properties: { tier: 'pro' } };
  const refused = await org.rest('POST /v1/people/identify', sent, key);
  expect(refused.body.code).toBe('property_not_configured');
  await org.rest('POST /v1/property-configs', config);
  const served = await org.rest('POST /v1/people/identify', sent, key);
  expect(served).toMatchObject({ status: 200, body: { created: true } });
  const wrong = await create(org, 'mended', { key: 'not a key' });
  expect(wrong.status).toBe(400);
  expect((await create(org, 'mended', { key: 'a_key' })).status).toBe(201);
});

test.each(['k', 'k'.repeat(255)])('the key %s is taken', async (key) => {
  const org = await world().newOrg();
  expect((await create(org, key)).status).toBe(201);
  expect((await create(org, key)).headers.get('idempotent-replayed')).toBe('true');
});

test.each(['', 'k'.repeat(256)])('the key %j is refused, and nothing is written', async (key) => {
  const org = await world().newOrg();
  const before = await contents(org);
  const answer = await create(org, key);
  expect(asProblem(answer)).toEqual(problem(400, 'invalid_request', '/v1/property-configs'));
  expect(await contents(org)).toEqual(before);
});

test('a credential that lost the permission does not get the kept answer either', async () => {
  const org = await world().newOrg();
  await create(org, 'one');
  const reader = await world().newKey(org, ['people.read']);
  expect((await create(reader, 'one')).status).toBe(403);
});
