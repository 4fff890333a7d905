import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { failureCodes } from '../../src/kernel/failure-codes.ts';
import { contentsOf } from '../support/org-contents.ts';
import { asProblem, problem } from '../support/problem.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

test('a field that is wrong is pointed at, with the choices it has', async () => {
  const org = await world().newOrg();
  const answer = await org.rest('GET /v1/people?order=up&limit=0&created_after=yesterday');
  expect(asProblem(answer)).toEqual(problem(400, 'invalid_request', '/v1/people'));
  expect(answer.body.errors).toEqual([
    { pointer: '/created_after', code: 'invalid_format', detail: expect.any(String) },
    {
      pointer: '/order',
      code: 'invalid_value',
      detail: 'Must be one of: asc, desc.',
      allowed: ['asc', 'desc'],
    },
    { pointer: '/limit', code: 'too_small', detail: 'Must be 1 or more.' },
  ]);
});

test('unknown fields are named, in a body and in a query, and nothing is written', async () => {
  const org = await world().newOrg();
  const before = await contentsOf(world().admin, org);
  const sent = { email: 'ada@example.com', emial: 'x', 'a/b~c': 1 };
  const answer = await org.rest('POST /v1/people/identify', sent);
  expect(asProblem(answer)).toEqual(problem(400, 'invalid_request', '/v1/people/identify'));
  expect(answer.body.errors).toEqual([
    {
      pointer: '/emial',
      code: 'unknown_field',
      detail: expect.stringMatching(/^There is no field emial here\. Fields there are: email, /),
    },
    { pointer: '/a~1b~0c', code: 'unknown_field', detail: 'There is no field a/b~c here.' },
  ]);
  const listed = await org.rest('GET /v1/people?page=2');
  expect(asProblem(listed)).toEqual(problem(400, 'invalid_request', '/v1/people'));
  expect(listed.body.errors).toMatchObject([{ pointer: '/page', code: 'unknown_field' }]);
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test('an id in the body that differs from the one in the path is refused; the same one is not', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'ada@example.com' });
  const path = `/v1/people/${person_id}/opt-outs`;
  const other = await org.rest(`PATCH ${path}`, { person_id: randomUUID(), sms_opt_out: true });
  expect(asProblem(other)).toEqual(problem(400, 'invalid_request', path));
  expect(other.body.errors).toMatchObject([{ pointer: '/person_id', code: 'differs_from_path' }]);
  expect((await org.rest(`PATCH ${path}`, { person_id, sms_opt_out: true })).status).toBe(200);
});

test('a missing permission, a missing thing, a taken key, a taken id and a missing config', async () => {
  const org = await world().newOrg();
  const reader = await world().newKey(org, ['people.read']);
  const forbidden = await reader.rest('POST /v1/people/identify', { email: 'ada@example.com' });
  expect(asProblem(forbidden)).toEqual(problem(403, 'forbidden', '/v1/people/identify'));
  const gone = `/v1/people/${randomUUID()}`;
  expect(asProblem(await org.rest(`GET ${gone}`))).toEqual(problem(404, 'not_found', gone));
  const config = { key: 'tier', name: 'Tier', type: 'string' };
  await org.rest('POST /v1/property-configs', config);
  const again = await org.rest('POST /v1/property-configs', config);
  expect(asProblem(again)).toEqual(problem(409, 'duplicate_key', '/v1/property-configs'));
  const key = `webinar_attended_${randomUUID().replaceAll('-', '_')}`;
  const reserved = await org.rest('POST /v1/property-configs', { ...config, key });
  expect(asProblem(reserved)).toEqual(problem(400, 'reserved_key', '/v1/property-configs'));
  await org.person({ external_user_id: 'one' });
  const path = `/v1/people/${await org.person({ external_user_id: 'two' })}/external-id`;
  const taken = await org.rest(`PUT ${path}`, { external_user_id: 'one' });
  expect(asProblem(taken)).toEqual(problem(409, 'identifier_taken', path));
  const unknown = { email: 'ada@example.com', custom_properties: { rank: 1 } };
  const unconfigured = await org.rest('POST /v1/people/identify', unknown);
  expect(asProblem(unconfigured)).toEqual(problem(400, 'property_not_configured', '/v1/people/identify'));
  expect(unconfigured.body.errors).toMatchObject([{ pointer: '/custom_properties/rank' }]);
});

test('a person who is suppressed, or to whom something still points', async () => {
  const org = await world().newOrg();
  const path = `/v1/people/${await org.person({ email: 'ada@example.com' })}`;
  await org.rest(`PATCH ${path}/opt-outs`, { email_opt_out: true });
  expect(asProblem(await org.rest(`DELETE ${path}`))).toEqual(problem(409, 'suppressed', path));
  await org.rest(`PATCH ${path}/opt-outs`, { email_opt_out: false });
  await world().admin.query(
    `insert into tasks (org_id, id, person_id, title, created_at) values ($1, gen_random_uuid(), $2, 'Call', now())`,
    [org.id, path.split('/').at(-1)],
  );
  expect(asProblem(await org.rest(`DELETE ${path}`))).toEqual(problem(409, 'still_referenced', path));
});

test.each(Object.entries(failureCodes))(
  'the page of %s says what it means and what to do',
  async (code, meaning) => {
    const response = await fetch(`${world().url}/docs/errors/${code}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/html\b/);
    const page = await response.text();
    expect(page).toContain(`<h1>${meaning.title}</h1>`);
    expect(page).toContain(meaning.next.replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
  },
);
