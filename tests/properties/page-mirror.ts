import type pg from 'pg';
import type { PropertyType } from '../../src/domain/properties/property-config.ts';
import type { TestOrg } from '../support/test-org.ts';

/**
 * Every cell of property_pages, in the whole database, that is not what property_values and property_configs say: it
 * holds something else, it holds nothing or its page is missing, or it holds what nobody said. Where a value belongs is
 * worked out here anew.
 */
export async function differences(admin: pg.Client): Promise<string[]> {
  await admin.query('set jit = off'); // compiling takes longer than a small database does
  const { rows } = await admin.query<{ difference: string }>(`
    with places as (
      select org_id, id as config_id, key, slot / size as page, letter || slot % size as place
      from property_configs
      join (values ('string', 't', 8), ('number', 'n', 8), ('boolean', 'b', 16)) families(type, letter, size) using (type)
    ), told as (
      select org_id, person_id, page, place, coalesce(to_jsonb(case when octet_length(text_value) > 500
          then rpad(left(text_value, 100) || md5(text_value), 501, '-') else text_value end),
        to_jsonb(number_value), to_jsonb(boolean_value)) as value
      from property_values join places using (org_id, config_id)
      where num_nonnulls(text_value, number_value, boolean_value) > 0
    ), held as (
      select p.org_id, p.person_id, p.page, cell.key as place, cell.value
      from property_pages p cross join jsonb_each(to_jsonb(p) - '{org_id,person_id,page}'::text[]) cell
      where cell.value <> 'null'
    )
    select format('%s page %s %s (%s): %s instead of %s', person_id, page, place, coalesce(key, 'of no property'),
      coalesce(held.value::text, 'nothing'), coalesce(told.value::text, 'nothing')) as difference
    from told full join held using (org_id, person_id, page, place) left join places using (org_id, page, place)
    where told.value is distinct from held.value
    order by 1`);
  return rows.map(({ difference }) => difference);
}

/** What somebody's pages hold, as `{ '0.t0': 'Oslo', '1.n3': 7 }`. */
export async function cellsOf(admin: pg.Client, person: string): Promise<Record<string, unknown>> {
  const { rows } = await admin.query<{ place: string; value: unknown }>(
    `select p.page || '.' || cell.key as place, cell.value
     from property_pages p cross join jsonb_each(to_jsonb(p) - '{org_id,person_id,page}'::text[]) cell
     where p.person_id = $1 and cell.value <> 'null' order by 1`,
    [person],
  );
  return Object.fromEntries(rows.map(({ place, value }) => [place, value]));
}

/** Creates a property over REST and answers the config's id. */
export async function newProperty(org: TestOrg, key: string, type: PropertyType): Promise<string> {
  const { status, body } = await org.rest('POST /v1/property-configs', { key, name: key, type });
  if (status !== 201) throw new Error(`create_property_config answered ${status}: ${JSON.stringify(body)}`);
  return body.property_config.id;
}

/** Sets properties of somebody over REST, one after another. */
export async function setAll(org: TestOrg, person: string, values: Record<string, unknown>): Promise<void> {
  for (const [key, value] of Object.entries(values)) {
    const { status, body } = await org.rest(`PUT /v1/people/${person}/properties/${key}`, { value });
    if (status !== 200) throw new Error(`set_person_property answered ${status}: ${JSON.stringify(body)}`);
  }
}
