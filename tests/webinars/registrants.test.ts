import { expect, test } from 'vitest';
import { createWebinar, registerFor } from '../support/webinar.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

test('registrations tell names and addresses to whoever may read people, and to nobody else', async () => {
  const [org, other] = [await world().newOrg(), await world().newOrg()];
  const { id } = await createWebinar(org);
  const route = `GET /v1/webinars/${id}/registrations`;
  expect((await org.rest(route)).body).toMatchObject({ registrations: [], total: 0 });
  const ann = { email: 'ann@example.com', first_name: 'Ann', last_name: 'Example', phone: '+15550000001' };
  const { org_user_id } = await registerFor(org, id, ann);
  await registerFor(org, id, { user_id: 'u-2' });
  const { body } = await org.rest(route);
  expect(body.registrations).toMatchObject([
    { person: { first_name: null, last_name: null, primary_email: null, primary_phone: null } },
    {
      person_id: org_user_id,
      person: {
        first_name: 'Ann',
        last_name: 'Example',
        primary_email: 'ann@example.com',
        primary_phone: '+15550000001',
      },
    },
  ]);
  const blind = await world().newKey(org, ['webinars.read']);
  const { body: hidden } = await blind.rest(route);
  expect(hidden.registrations.map(({ person }: { person: unknown }) => person)).toEqual([null, null]);
  expect(JSON.stringify(hidden)).not.toMatch(/ann|Example|15550000001/i);
  expect((await (await world().newKey(org, ['people.read'])).rest(route)).status).toBe(403);
  expect((await other.rest(route)).status).toBe(404);
});
