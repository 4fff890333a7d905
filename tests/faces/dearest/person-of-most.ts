import type pg from 'pg';
import { limits } from '../../../src/kernel/limits.ts';

const textInValue = 8_000;
const textInEvent = 16_000;
const events = 300;

/** Gives a person as many identifiers, property values and events as one may have, or a page shows, and long ones. */
export async function giveMost(admin: pg.Client, org: string, person: string): Promise<void> {
  await admin.query(
    `insert into identifiers (org_id, id, person_id, type, value, is_contact_method, is_primary_for_type, created_at)
     select $1, new_id(now()), $2, 'anonymous_id', rpad('anonymous ' || n, 512, 'x'), false, n = 1, now()
     from generate_series(1, $3 - (select count(*)::int from identifiers where org_id = $1 and person_id = $2)) n`,
    [org, person, limits.identifiers_of_person],
  );
  await admin.query(
    `insert into property_configs (org_id, id, key, name, type, description, created_at)
     select $1, new_id(now()), 'long_' || n, 'Long ' || n, 'string', repeat('x', 2000), now()
     from generate_series(1, $2 - (select count(*)::int from property_configs where org_id = $1)) n`,
    [org, limits.property_configs - 1], // room for one,
  );
  await admin.query(
    `insert into property_values (org_id, person_id, config_id, text_value, changed_by, created_at)
     select org_id, $2, id, repeat('x', $3), new_id(now()), now() from property_configs
     where org_id = $1 and type = 'string' on conflict do nothing`,
    [org, person, textInValue],
  );
  await admin.query(
    `insert into events (org_id, id, person_id, name, custom_properties, occurred_at, created_at)
     select $1, new_id(now() - n * interval '1 s'), $2, rpad('event ' || n, 200, 'x'),
       jsonb_build_object('told', repeat('x', $3)), now(), now()
     from generate_series(1, $4) n`,
    [org, person, textInEvent, events],
  );
}
