import { expect, test } from 'vitest';
import { removeOrgPart } from '../../src/domain/orgs/remove-organization.ts';
import { newFurnished } from '../isolation/furnished-orgs.ts';
import { checksums } from '../support/furnish.ts';
import { deleteOrg } from '../support/org-state.ts';
import { peopleWithValues } from '../support/removals.ts';
import { rowsOf } from '../support/rows-of.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const step = (org: TestOrg, after?: number) =>
  removeOrgPart(world().database, { org_id: org.id, after }, new Date());

test('a deleted organization is gone from every table, part by part and after a crash, and another is untouched', async () => {
  const { org: other } = await newFurnished(world());
  const before = await checksums(world().admin);
  const { org } = await newFurnished(world());
  expect(await step(org)).toEqual({ outcome: 'not_mine' }); // nobody asked for it
  await world().admin.query('delete from organization_removals where org_id = $1', [org.id]);
  await peopleWithValues(world(), org, 450);
  expect(Object.keys(await rowsOf(world(), org)).length).toBeGreaterThan(45);
  await deleteOrg(world(), org);

  let parts = 0;
  for (let after = 0; ; parts++) {
    const removed = await step(org, after);
    if (removed.outcome === 'done') break;
    // A step of which the engine heard nothing is asked for again, and leaves the next part to whoever did it.
    expect(await step(org, after)).toEqual({ outcome: 'not_mine' });
    expect(removed.outcome).toBe('more');
    ({ after } = removed as { after: number });
  }
  expect(parts).toBeGreaterThan(20);
  expect(await rowsOf(world(), org)).toEqual({ organization_removals: 1 });
  expect(await step(org)).toEqual({ outcome: 'not_mine' });
  const { rows } = await world().admin.query('select * from organization_removals where org_id = $1', [
    org.id,
  ]);
  expect(rows[0]).toMatchObject({
    done_at: expect.any(Date),
    removed: { people: 451, events: 1, deliveries: 1, broadcasts: 1, organizations: 1 },
  });
  await world().admin.query('delete from organization_removals where org_id = $1', [org.id]);
  expect(await checksums(world().admin)).toEqual(before);
  expect(Object.keys(await rowsOf(world(), other)).length).toBeGreaterThan(45);
});
