import { removePart } from '../../src/domain/properties/remove-values.ts';
import type { OrgId, PropertyConfigId } from '../../src/kernel/ids.ts';
import type { TestOrg } from './test-org.ts';
import type { World } from './world.ts';

/** More than are deleted while the caller waits. */
export const many = 2_400;

/** So many people with a value for every property of the organization. Answers their ids, in order. */
export async function peopleWithValues({ admin }: World, org: TestOrg, count = many): Promise<string[]> {
  const { rows } = await admin.query<{ id: string }>(
    `with made as (
       insert into people (org_id, id, first_name, created_at, updated_at)
       select $1, gen_random_uuid(), 'Ann', now(), now() from generate_series(1, $2::int) returning id),
     valued as (
       insert into property_values (org_id, person_id, config_id, text_value, number_value, changed_by, created_at)
       select $1, m.id, c.id, case c.type when 'string' then 'old' end, case c.type when 'number' then 7 end,
         gen_random_uuid(), now()
       from made m join property_configs c on c.org_id = $1)
     select id from made order by id`,
    [org.id, count],
  );
  return rows.map(({ id }) => id);
}

/** What is still to be removed, as `[config, how many values]`. */
export async function removalsOf({ admin }: World, org: TestOrg): Promise<[string, number][]> {
  const { rows } = await admin.query<{ config_id: string; n: number }>(
    `select r.config_id, (select count(*)::int from property_values v where v.config_id = r.config_id) as n
     from property_removals r where r.org_id = $1 order by 1`,
    [org.id],
  );
  return rows.map(({ config_id, n }) => [config_id, n]);
}

/** Removes the values of so many people, as the engine does at a time. */
export const removeSome = ({ database }: World, org: TestOrg, config: string, people?: number) =>
  removePart(
    database,
    { org_id: org.id as OrgId, config_id: config as PropertyConfigId },
    new Date(),
    people,
  );

/** What the engine would do about everything that is still to be removed. */
export async function finishRemovals(world: World, org: TestOrg): Promise<void> {
  for (const [config] of await removalsOf(world, org)) {
    while ((await removeSome(world, org, config)).outcome === 'more');
  }
}
