import { expect, test } from 'vitest';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

test('IDN-021 IDN-022 IDN-023 identifiers of two people make one of them, who holds what both held', async () => {
  const org = await world().newOrg();
  const ann = await org.person({ email: 'ann@example.com', external_user_id: 'customer-1' });
  const visitor = await org.person({ anonymous_id: 'visitor-1', phone: '+15550100' });
  const answer = await org.tool('identify_person', { email: 'ann@example.com', anonymous_id: 'visitor-1' });
  expect(answer.body).toEqual({ person_id: ann, created: false });

  const { body } = await org.tool('list_people');
  expect(body).toMatchObject({ total: 1, people: [{ id: ann, primary_phone: '+15550100' }] });
  expect(await org.rest(`GET /v1/people/${visitor}`)).toMatchObject({ status: 404 });
  expect(await org.tool('get_person', { person_id: visitor })).toMatchObject({
    isError: true,
    body: { status: 404, code: 'not_found' },
  });
  expect(await identifiersOf(org, ann)).toEqual([
    'anonymous_id visitor-1 primary',
    'email ann@example.com primary',
    'org_assigned_user_id customer-1 primary',
    'phone +15550100 primary',
  ]);
});

test('IDN-021 IDN-023 several people are merged at once, and the survivor keeps its own primaries', async () => {
  const org = await world().newOrg();
  const third = await org.person({ phone: '+15550103', email: 'third@example.com' });
  const second = await org.person({ payment_customer_id: 'cus_2', email: 'second@example.com' });
  const first = await org.person({ external_user_id: 'customer-1' });
  const sent = { external_user_id: 'customer-1', payment_customer_id: 'cus_2', phone: '+15550103' };
  const answer = await org.rest('POST /v1/people/identify', sent);
  expect(answer.body).toEqual({ person_id: first, created: false });
  for (const gone of [second, third]) {
    expect((await org.rest(`GET /v1/people/${gone}`)).body).toMatchObject({
      status: 404,
      merged_into: first,
    });
  }
  expect(await identifiersOf(org, first)).toEqual([
    'email second@example.com primary',
    'email third@example.com',
    'org_assigned_user_id customer-1 primary',
    'payment_customer_id cus_2 primary',
    'phone +15550103 primary',
  ]);
  const { body } = await org.tool('get_person', { person_id: first });
  expect(body.person.primary_email).toBe('second@example.com');
});

test('calls that merge the same people from both ends at once leave one of them', async () => {
  const org = await world().newOrg();
  const people = [
    await org.person({ email: 'ann@example.com', phone: '+15550100' }),
    await org.person({ anonymous_id: 'visitor-1', payment_customer_id: 'cus_1' }),
  ];
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      org.tool(
        'identify_person',
        index % 2 === 0
          ? { email: 'ann@example.com', anonymous_id: 'visitor-1' }
          : { payment_customer_id: 'cus_1', phone: '+15550100' },
      ),
    ),
  );
  expect(answers.every(({ isError }) => !isError)).toBe(true);
  const { body } = await org.rest('GET /v1/people');
  expect(body.total).toBe(1);
  const [survivor] = body.people;
  expect(people).toContain(survivor.id);
  expect(answers.every((answer) => answer.body.person_id === survivor.id)).toBe(true);
  expect(await identifiersOf(org, survivor.id)).toHaveLength(4);
});

test('a merged id tells where it went in every call that names a person', async () => {
  const org = await world().newOrg();
  const { survivor, gone } = await mergeTwo(org, 'ann');
  const rest = [
    'GET /v1/people/:id',
    'DELETE /v1/people/:id',
    'GET /v1/people/:id/identifiers',
    'GET /v1/people/:id/properties',
    'GET /v1/people/:id/opt-outs',
    'GET /v1/people/:id/subscriptions',
  ];
  for (const route of rest) {
    const { status, body } = await org.rest(route.replace(':id', gone));
    expect({ route, status, body }).toMatchObject({
      route,
      status: 404,
      body: { code: 'not_found', merged_into: survivor },
    });
  }
  for (const tool of ['get_person', 'delete_person', 'list_identifiers', 'get_opt_outs']) {
    const { isError, body } = await org.tool(tool, { person_id: gone });
    expect({ tool, isError, body }).toMatchObject({ tool, isError: true, body: { merged_into: survivor } });
  }
  // Nobody else learns of it.
  const stranger = await world().newOrg();
  const { status, body } = await stranger.rest(`GET /v1/people/${gone}`);
  expect(status).toBe(404);
  expect(body).not.toHaveProperty('merged_into');
});

test('a chain of merges redirects to the last survivor, and to nobody once that one is deleted', async () => {
  const org = await world().newOrg();
  const a = await org.person({ phone: '+15550100' });
  const b = await org.person({ email: 'b@example.com' });
  const c = await org.person({ external_user_id: 'c' });
  await org.person({ email: 'b@example.com', phone: '+15550100' });
  expect((await org.rest(`GET /v1/people/${a}`)).body.merged_into).toBe(b);
  await org.person({ external_user_id: 'c', email: 'b@example.com' });
  expect((await org.rest(`GET /v1/people/${a}`)).body.merged_into).toBe(c);
  expect((await org.tool('get_person', { person_id: b })).body.merged_into).toBe(c);
  expect((await org.tool('delete_person', { person_id: c })).isError).toBe(false);
  for (const gone of [a, b, c]) {
    const { status, body } = await org.rest(`GET /v1/people/${gone}`);
    expect(status).toBe(404);
    expect(body).not.toHaveProperty('merged_into');
  }
});

test('a merge leaves one audit row that names the survivor and whom it took in', async () => {
  const org = await world().newOrg();
  const { survivor, gone } = await mergeTwo(org, 'ann');
  const { rows } = await world().admin.query(
    `select operation, ids, actor_id, face from audit_log where org_id = $1 and ids ? 'merged_person_ids'`,
    [org.id],
  );
  expect(rows).toEqual([
    {
      operation: 'identify_person',
      ids: { person_id: survivor, merged_person_ids: [gone] },
      actor_id: org.keyId,
      face: 'mcp',
    },
  ]);
});

async function mergeTwo(org: TestOrg, name: string): Promise<{ survivor: string; gone: string }> {
  const survivor = await org.person({ email: `${name}@example.com` });
  const gone = await org.person({ anonymous_id: `visitor ${name}` });
  await org.tool('identify_person', { email: `${name}@example.com`, anonymous_id: `visitor ${name}` });
  return { survivor, gone };
}

async function identifiersOf(org: TestOrg, person_id: string): Promise<string[]> {
  const { body } = await org.tool('list_identifiers', { person_id });
  return body.identifiers
    .map(
      (one: { identifier_type: string; identifier_value: string; is_primary_for_type: boolean }) =>
        `${one.identifier_type} ${one.identifier_value}${one.is_primary_for_type ? ' primary' : ''}`,
    )
    .toSorted();
}
