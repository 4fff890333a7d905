import type pg from 'pg';
import type { TestOrg } from '../support/test-org.ts';

/**
 * People by their first names, exactly as these are, which are also their values of every property the organization has.
 * By hand: hundreds of calls would take most of the time of a test about texts.
 */
export async function addNamed(
  admin: pg.Client,
  org: TestOrg,
  names: readonly (string | null)[],
): Promise<Record<string, string>> {
  const { rows } = await admin.query<{ id: string; first_name: string }>(
    `with made as (
       insert into people (org_id, id, first_name, created_at, updated_at)
       select $1, gen_random_uuid(), first_name, now(), now() from unnest($2::text[]) first_name
       returning id, first_name),
     valued as (
       insert into property_values (org_id, person_id, config_id, text_value, changed_by, created_at)
       select $1, m.id, c.id, m.first_name, gen_random_uuid(), now()
       from made m join property_configs c on c.org_id = $1 where m.first_name is not null)
     select id, first_name from made`,
    [org.id, names],
  );
  const people: Record<string, string> = Object.create(null);
  for (const { id, first_name } of rows) people[first_name] = id;
  return people;
}
