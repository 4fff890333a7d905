import { expect, test } from 'vitest';
import { createWebinar } from '../support/webinar.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const withKey = { 'idempotency-key': 'once' };

const stored = async (org: string): Promise<string> =>
  JSON.stringify(
    (await world().admin.query('select answer from idempotent_answers where org_id = $1', [org])).rows,
  );

test('what was answered about a person goes with the person, and is not done again', async () => {
  const org = await world().newOrg();
  const ada = { email: 'ada@example.com', first_name: 'Ada' };
  const identify = () => org.rest('POST /v1/people/identify', ada, withKey);
  const { body } = await identify();
  const webinar_id = (await createWebinar(org)).id;
  const register = () => org.rest('POST /v1/webinars/register', { webinar_id, user: ada }, withKey);
  expect((await register()).status).toBe(200);
  const rename = () =>
    org.rest(
      `POST /v1/people/${body.person_id}/identifiers`,
      { identifier_type: 'email', identifier_value: 'lovelace@example.com' },
      withKey,
    );
  expect((await rename()).status).toBe(200);
  expect(await stored(org.id)).toContain(body.person_id);
  await org.rest(`DELETE /v1/people/${body.person_id}`);
  expect(await stored(org.id)).not.toMatch(/example\.com|Ada/);
  expect(await stored(org.id)).not.toContain(body.person_id);
  for (const again of [identify, register, rename])
    expect(await again()).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect((await org.rest('GET /v1/people')).body.total).toBe(0);
});

test('also what was answered before they were merged into somebody', async () => {
  const org = await world().newOrg();
  const one = await org.rest(
    'POST /v1/people/identify',
    { email: 'one@example.com' },
    { 'idempotency-key': '1' },
  );
  await org.rest('POST /v1/people/identify', { external_user_id: 'x' }, { 'idempotency-key': '2' });
  const both = { email: 'one@example.com', external_user_id: 'x' };
  const merged = await org.rest('POST /v1/people/identify', both, { 'idempotency-key': '3' });
  await org.rest(`DELETE /v1/people/${merged.body.person_id}`);
  const left = await stored(org.id);
  expect(left).not.toContain(one.body.person_id);
  expect(left).not.toContain(merged.body.person_id);
});

test('answers about others stay', async () => {
  const org = await world().newOrg();
  const bob = () =>
    org.rest('POST /v1/people/identify', { email: 'bob@example.com' }, { 'idempotency-key': 'bob' });
  const first = await bob();
  await org.rest(`DELETE /v1/people/${await org.person({ email: 'ada@example.com' })}`);
  expect(await bob()).toMatchObject({ status: 200, body: first.body });
});
