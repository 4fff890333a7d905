import type pg from 'pg';
import type { OrgId } from '../../src/kernel/ids.ts';
import { copyIn } from '../support/copy-in.ts';
import type { Listed } from './list.ts';

/**
 * What somebody would do with the whole list in hand and nobody to answer to: one COPY, and an INSERT … ON CONFLICT for
 * each table, in one transaction and as its owner. Who is meant is asked by one identifier alone, no opt-out that was
 * remembered is looked up, nobody is held and nothing is written down beside.
 */
export async function importBare(client: pg.Client, org: OrgId, list: readonly Listed[]): Promise<number> {
  const began = performance.now();
  await client.query('begin');
  await copyMeant(client, org, list);
  for (const statement of Object.values(inserts)) await client.query(statement, [org]);
  await client.query('commit');
  return performance.now() - began;
}

/** The list and whom each row means, in a table that goes with the transaction. */
export async function copyMeant(client: pg.Client, org: OrgId, list: readonly Listed[]): Promise<void> {
  const text = list.map((row) => Object.values(row).join('\t')).join('\n');
  await client.query(`create temporary table list (external_id text, email text, phone text, first_name text,
    company text, seats double precision) on commit drop`);
  await copyIn(client, 'copy list from stdin', `${text}\n`);
  await client.query(
    `create temporary table meant on commit drop as
     select coalesce(i.person_id, new_id(now())) as person_id, l.* from list l
     left join identifiers i on i.org_id = $1 and i.type = 'org_assigned_user_id' and i.value = l.external_id`,
    [org],
  );
}

const people = `
  insert into people as p (org_id, id, first_name, primary_email, primary_phone, external_user_id,
    primary_contact_method, created_at, updated_at)
  select $1, person_id, first_name, email, phone, external_id, 'email', now(), now() from meant
  on conflict (org_id, id) do update set first_name = excluded.first_name, updated_at = excluded.updated_at
  where p.first_name is null`;

const identifiers = `
  insert into identifiers (org_id, id, person_id, type, value, is_contact_method, is_primary_for_type, created_at)
  select $1, new_id(now()), person_id, kind.type, kind.value, kind.contact, true, now()
  from meant, lateral (values ('email', email, true), ('phone', phone, true),
    ('org_assigned_user_id', external_id, false)) kind(type, value, contact)
  on conflict do nothing`;

const values = `
  insert into property_values as v (org_id, person_id, config_id, text_value, number_value, changed_by, created_at)
  select $1, person_id, c.id, case c.key when 'company' then company end, case c.key when 'seats' then seats end,
    new_id(now()), now()
  from meant, property_configs c where c.org_id = $1 and c.key in ('company', 'seats')
  on conflict (org_id, person_id, config_id) do update set text_value = excluded.text_value,
    number_value = excluded.number_value, changed_by = excluded.changed_by`;

/** In the order in which they refer to each other. */
export const inserts = { people, identifiers, values };
