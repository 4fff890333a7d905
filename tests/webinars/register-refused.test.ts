import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { registerForWebinar } from '../../src/domain/webinars/registrations/register-for-webinar.ts';
import { setWebinar, inHours } from '../support/broadcast.ts';
import { waysTo } from '../support/call-operation.ts';
import { contentsOf } from '../support/org-contents.ts';
import { asProblem, problem } from '../support/problem.ts';
import type { TestOrg } from '../support/test-org.ts';
import { countOf, createWebinar, registerFor } from '../support/webinar.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const ways = waysTo(registerForWebinar);

/** That no face takes it, and that nothing is there afterwards. */
async function refuses(org: TestOrg, input: Record<string, unknown>, status = 400, code = 'invalid_request') {
  const before = await contentsOf(world().admin, org);
  for (const way of ways) {
    expect({ way: way.name, input, ...(await way.call(org, input)) }).toMatchObject({
      status,
      body: { status, code },
    });
  }
  expect(await contentsOf(world().admin, org)).toEqual(before);
}

test('REG-010 REG-045 a user with none of the four identifiers is refused, whatever else is sent', async () => {
  const org = await world().newOrg();
  const { id: webinar_id } = await createWebinar(org);
  for (const user of [
    {},
    { first_name: 'Ann', last_name: 'Example', full_name: 'Ann Example' },
    { properties: { plan: 'pro' } },
    { email: '', phone: '  ', user_id: null },
    { external_user_id: 'customer-1', person_id: randomUUID() },
  ]) {
    await refuses(org, { webinar_id, user });
  }
  expect(await countOf(world(), org, 'people')).toBe(0);
});

test('REG-016 REG-025 REG-045 what is malformed is refused and registers nobody', async () => {
  const org = await world().newOrg();
  const { id: webinar_id } = await createWebinar(org);
  for (const user of [
    { email: 'ann' },
    { email: 'ann@' },
    { email: 'ann @example.com' },
    { email: 'ann@example.com, ben@example.com' },
    { user_id: 'customer-1', email: 'not an address' },
    { email: 7 },
    { user_id: 7 },
    { phone: ['+15550100'] },
    { anonymous_id: 'x'.repeat(513) },
    { email: 'ann@example.com', first_name: 7 },
    { email: 'ann@example.com', last_name: 'x'.repeat(201) },
    { email: 'ann@example.com', properties: 'plan' },
    { email: 'ann@example.com', properties: ['plan'] },
    { email: 'ann@example.com', properties: { plan: ['pro'] } },
    { email: 'ann@example.com', properties: { plan: { name: 'pro' } } },
    { email: 'ann@example.com', properties: { plan: null } },
    { email: 'ann@example.com', properties: { plan: 'x'.repeat(8_193) } },
    'ann@example.com',
    ['ann@example.com'],
    null,
  ]) {
    await refuses(org, { webinar_id, user });
  }
  expect(await countOf(world(), org, 'registrations')).toBe(0);
});

test('REG-028 REG-029 REG-030 webinar_id, a uuid, and user are both required', async () => {
  const org = await world().newOrg();
  const { id: webinar_id } = await createWebinar(org);
  const user = { email: 'ann@example.com' };
  await refuses(org, { user });
  await refuses(org, { webinar_id });
  await refuses(org, { webinar_id: 'the-webinar', user });
  await refuses(org, { webinar_id: null, user });
  const bare = await org.rest('POST /v1/webinars/register', { user: {} });
  expect(bare.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
    '/webinar_id',
    '/user',
  ]);
});

test('REG-046 a webinar that does not exist, or is another organization’s, is 404 and creates nobody', async () => {
  const org = await world().newOrg();
  const stranger = await world().newOrg();
  const { id: theirs } = await createWebinar(stranger);
  const user = { email: 'ann@example.com', properties: { plan: 'pro' } };
  const before = await contentsOf(world().admin, stranger);
  for (const webinar_id of [randomUUID(), theirs]) await refuses(org, { webinar_id, user }, 404, 'not_found');
  expect(await contentsOf(world().admin, stranger)).toEqual(before);
  const answer = await org.rest('POST /v1/webinars/register', { webinar_id: theirs, user });
  expect(asProblem(answer)).toEqual(problem(404, 'not_found', '/v1/webinars/register'));
});

test('AUT-020 AUT-021 without an API key, or with one that is not valid, register answers 401', async () => {
  const org = await world().newOrg();
  const { id: webinar_id } = await createWebinar(org);
  const body = JSON.stringify({ webinar_id, user: { email: 'ann@example.com' } });
  for (const headers of [
    {},
    { 'auth-type': 'api' },
    { authorization: 'rk_test_nobody', 'auth-type': 'api' },
    { authorization: `${org.secret}x`, 'auth-type': 'api' },
    { authorization: `Bearer ${org.secret}`, 'auth-type': 'api' },
    { authorization: org.secret },
  ] as Record<string, string>[]) {
    const answer = await fetch(`${org.url}/v1/webinars/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    expect({ headers: Object.keys(headers), status: answer.status }).toMatchObject({ status: 401 });
    expect(answer.headers.get('www-authenticate')).not.toBe(null);
  }
  expect(await countOf(world(), org, 'people')).toBe(0);
});

test('a canceled webinar takes no registrations; drafts and webinars that are over do', async () => {
  const org = await world().newOrg();
  const draft = await createWebinar(org, { status: 'draft' });
  const over = await createWebinar(org, { start_time: inHours(-48) });
  for (const { id } of [draft, over]) await registerFor(org, id, { email: 'ann@example.com' });
  const gone = await createWebinar(org);
  await registerFor(org, gone.id, { email: 'ann@example.com' });
  await setWebinar(world(), gone.id, { status: 'canceled', canceled_at: new Date() });
  await refuses(org, { webinar_id: gone.id, user: { email: 'ben@example.com' } }, 409, 'webinar_canceled');
  // Nothing is made of it, so nothing is refused.
  const repeat = await registerFor(org, gone.id, { email: 'ann@example.com' });
  expect(repeat).toMatchObject({ already_registered: true });
});
