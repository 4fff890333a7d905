import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createWebinar } from '../support/webinar.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

test('DEC-005 SEG-003 list_segments shows all segments of an organization unless it is asked for fewer', async () => {
  const org = await world().newOrg();
  await world().admin.query(
    `insert into segments (org_id, id, name, filters, created_at, updated_at)
     select $1, gen_random_uuid(), 'Segment ' || n, '[{"property":"first_name","op":"is_empty"}]', now(), now()
     from generate_series(1, 100) n`,
    [org.id],
  );
  const { segments, total, limit } = (await org.rest('GET /v1/segments')).body;
  expect(limit).toBe(200);
  expect(total).toBeGreaterThan(100);
  expect(segments).toHaveLength(total);
  expect((await org.tool('list_segments', {})).body.segments).toHaveLength(total);
});

test('DEC-006 the settings and the refusals tell the limits', async () => {
  const org = await world().newOrg();
  const { limits } = (await org.rest('GET /v1/settings')).body.settings;
  expect(limits).toEqual({ property_configs: 300, values_of_in: 500, identifiers_of_person: 50 });
  const values = Array.from({ length: 501 }, (_, n) => `v${n}`);
  const filters = [{ property: 'first_name', op: 'in', values }];
  const refused = await org.rest('POST /v1/segments', { name: 'Many', filters });
  expect(refused.status).toBe(400);
  expect(JSON.stringify(refused.body.errors)).toContain('500');
});

test('DEC-006 IDF-018 nobody gets more than 50 identifiers, by whatever way', async () => {
  const org = await world().newOrg();
  const email = 'many@example.com';
  const person = await org.person({ email });
  await world().admin.query(
    `insert into identifiers (org_id, id, person_id, type, value, created_at)
     select $1, gen_random_uuid(), $2, 'anonymous_id', 'a' || n, now() from generate_series(1, 49) n`,
    [org.id, person],
  );
  const count = async () => (await org.rest(`GET /v1/people/${person}/identifiers`)).body.identifiers.length;
  const sent = { identifier_type: 'chat', identifier_value: 'one-more' };
  const added = await org.rest(`POST /v1/people/${person}/identifiers`, sent);
  expect(added).toMatchObject({ status: 400, body: { detail: expect.stringContaining('50 identifiers') } });
  const identified = await org.rest('POST /v1/people/identify', { email, anonymous_id: randomUUID() });
  expect(identified).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('50 identifiers') },
  });
  // What comes in by forms and programs stands, without what has no room.
  const { id: webinar_id } = await createWebinar(org);
  const user = { email, anonymous_id: randomUUID() };
  expect((await org.rest('POST /v1/webinars/register', { webinar_id, user })).body.org_user_id).toBe(person);
  const event = { event_name: 'came', email, anonymous_id: randomUUID() };
  expect((await org.rest('POST /v1/events', event)).body).toMatchObject({ recorded: 1 });
  expect(await count()).toBe(50);
  expect((await org.rest('POST /v1/people/identify', { email, anonymous_id: 'a7' })).status).toBe(200);
});
