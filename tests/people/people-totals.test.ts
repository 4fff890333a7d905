import { expect, test } from 'vitest';
import { sweep } from '../../src/durable/sweep.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

/** The total of everybody, which must be the number of rows and the number of people paged through. */
async function totalOf(org: TestOrg): Promise<number> {
  const { total, people } = (await org.tool('list_people', { limit: 200 })).body;
  const { rows } = await world().admin.query('select count(*)::int as n from people where org_id = $1', [
    org.id,
  ]);
  expect({ total, listed: people.length }).toEqual({ total: rows[0].n, listed: rows[0].n });
  const narrowest = await org.rest('GET /v1/people?created_after=2000-01-01T00:00:00Z&limit=1');
  expect(narrowest.body.total).toBe(total);
  return total;
}

const countRows = async (org: TestOrg): Promise<number> => {
  const query = 'select count(*)::int as n from people_counts where org_id = $1';
  return (await world().admin.query(query, [org.id])).rows[0].n;
};

test('PPL-022 total follows people as they are created, identified again, merged and deleted', async () => {
  const org = await world().newOrg();
  expect(await totalOf(org)).toBe(0);
  const ada = await org.person({ email: 'ada@example.com' });
  const bert = await org.person({ external_user_id: 'crm-1' });
  await org.person({ phone: '+15550001' });
  expect(await totalOf(org)).toBe(3);
  await org.person({ email: 'ada@example.com', first_name: 'Ada' });
  expect(await totalOf(org)).toBe(3);
  await org.person({ external_user_id: 'crm-1', email: 'ada@example.com', phone: '+15550001' });
  expect(await totalOf(org)).toBe(1);
  expect((await org.rest(`DELETE /v1/people/${ada}`)).status).toBe(404);
  expect(await totalOf(org)).toBe(1);
  await org.tool('delete_person', { person_id: bert });
  expect(await totalOf(org)).toBe(0);
});

test('PPL-022 a refused or failed call leaves total as it was', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'ada@example.com' });
  await org.tool('set_opt_outs', { person_id, email_opt_out: true });
  expect((await org.tool('delete_person', { person_id })).isError).toBe(true);
  const unknownKey = { email: 'new@example.com', custom_properties: { nothing_like_it: 1 } };
  expect((await org.tool('identify_person', unknownKey)).isError).toBe(true);
  expect((await org.tool('identify_person', { first_name: 'Nobody' })).isError).toBe(true);
  expect(await totalOf(org)).toBe(1);
});

test('PPL-022 total stays right while many are created and deleted at once, and after a sweep', async () => {
  const [org, other] = [await world().newOrg(), await world().newOrg()];
  await other.person({ email: 'other@example.com' });
  const ids = await Promise.all(
    Array.from({ length: 30 }, (_, n) => org.person({ email: `p${n % 25}@example.com` })),
  );
  expect(await totalOf(org)).toBe(25);
  const people = [...new Set(ids)];
  await Promise.all(people.slice(0, 5).map((id) => org.rest(`DELETE /v1/people/${id}`)));
  await Promise.all(
    people
      .slice(5, 9)
      .map((id, n) => org.rest(`PUT /v1/people/${id}/external-id`, { external_user_id: `x${n}` })),
  );
  // Four people become two.
  await org.person({ external_user_id: 'x0', anonymous_id: 'a' });
  await org.person({ external_user_id: 'x1', anonymous_id: 'a' });
  await org.person({ external_user_id: 'x2', anonymous_id: 'b' });
  await org.person({ external_user_id: 'x3', anonymous_id: 'b' });
  expect(await totalOf(org)).toBe(18);

  expect(await countRows(org)).toBeGreaterThan(20);
  const { foldedCounts } = await sweep(world().database, world().clock.now());
  expect(foldedCounts).toBe(1);
  expect(await countRows(org)).toBe(1);
  expect(await totalOf(org)).toBe(18);
  expect(await totalOf(other)).toBe(1);

  await org.person({ email: 'after@example.com' });
  expect(await totalOf(org)).toBe(19);
  await org.rest(`DELETE /v1/people/${people[10]}`);
  expect(await totalOf(org)).toBe(18);
});

test('PPL-022 a sweep that runs beside writers loses nobody', async () => {
  const org = await world().newOrg();
  const now = world().clock.now();
  const sweeps: Promise<unknown>[] = [];
  await Promise.all(
    Array.from({ length: 60 }, async (_, n) => {
      const id = await org.person({ email: `p${n}@example.com` });
      if (n % 3 === 0) sweeps.push(sweep(world().database, now));
      if (n % 2 === 0) await org.rest(`DELETE /v1/people/${id}`);
    }),
  );
  await Promise.all(sweeps);
  expect(await totalOf(org)).toBe(30);
  await sweep(world().database, now);
  expect(await totalOf(org)).toBe(30);
});
