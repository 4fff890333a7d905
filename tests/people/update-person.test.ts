import { expect, test } from 'vitest';
import { auditOf } from '../support/audit.ts';
import { contentsOf } from '../support/org-contents.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const email = 'ann@example.com';

async function namesOf(org: TestOrg, id: string): Promise<unknown[]> {
  const { body } = await org.rest(`GET /v1/people/${id}`);
  return [body.person.first_name, body.person.last_name];
}

test('a key sets and clears names over REST, and what is left out stays', async () => {
  const org = await world().newOrg();
  const id = await org.person({ email, first_name: 'Ann', last_name: 'Example' });
  const steps = [
    [{ first_name: ' Anna ' }, ['Anna', 'Example']],
    [{ last_name: null }, ['Anna', null]],
    [{ first_name: '', last_name: 'Other' }, [null, 'Other']],
    [{ first_name: null, last_name: '  ' }, [null, null]],
  ] as const;
  for (const [sent, names] of steps) {
    const answer = await org.rest(`PATCH /v1/people/${id}`, sent);
    expect(answer).toMatchObject({ status: 200, body: { person_id: id } });
    expect(await namesOf(org, id)).toEqual(names);
  }
  expect(await auditOf(world(), org, 'update_person')).toEqual(
    steps.map(() => ({ ids: { person_id: id }, reason: null, actor_id: org.keyId })),
  );
});

test('names that are there already change nothing, and leave no audit row', async () => {
  const org = await world().newOrg();
  const id = await org.person({ email, first_name: 'Ann' });
  const before = await contentsOf(world().admin, org);
  const answer = await org.rest(`PATCH /v1/people/${id}`, { first_name: 'Ann', last_name: null });
  expect(answer.status).toBe(200);
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test('an idempotency key answers the second call with the first answer', async () => {
  const org = await world().newOrg();
  const id = await org.person({ email });
  const call = (first_name: string) =>
    org.rest(`PATCH /v1/people/${id}`, { first_name }, { 'idempotency-key': 'once' });
  const first = await call('Ann');
  const again = await call('Ann');
  expect(again.body).toEqual(first.body);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect((await call('Other')).body.code).toBe('idempotency_key_reused');
});

test.each([{}, { first_name: 1 }, { first_name: 'x'.repeat(201) }, { primary_email: 'b@example.com' }])(
  'update_person with %j is refused and changes nothing',
  async (sent) => {
    const org = await world().newOrg();
    const id = await org.person({ email, first_name: 'Ann' });
    const answer = await org.rest(`PATCH /v1/people/${id}`, sent);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(await namesOf(org, id)).toEqual(['Ann', null]);
  },
);

test('update_person needs people.write, tells no names, and finds nobody of another organization', async () => {
  const [org, other] = [await world().newOrg(), await world().newOrg()];
  const id = await org.person({ email, first_name: 'Ann' });
  const reader = await world().newKey(org, ['people.read']);
  expect((await reader.rest(`PATCH /v1/people/${id}`, { first_name: 'X' })).status).toBe(403);
  expect((await other.rest(`PATCH /v1/people/${id}`, { first_name: 'X' })).body.code).toBe('not_found');
  expect(await namesOf(org, id)).toEqual(['Ann', null]);
  const writer = await world().newKey(org, ['people.write']);
  const { body } = await writer.rest(`PATCH /v1/people/${id}`, { last_name: 'Y' });
  expect(JSON.stringify(body)).not.toContain('Ann');
  expect(await org.toolNames()).not.toContain('update_person');
});
