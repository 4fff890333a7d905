import type pg from 'pg';
import type { TestOrg } from '../support/test-org.ts';

/** All that an import can change about people, as the database has it. */
export interface Snapshot {
  /** By id. */
  readonly people: ReadonlyMap<string, SeenPerson>;
  /** Who is gone, and into whom. */
  readonly merged: ReadonlyMap<string, string>;
  readonly configs: readonly string[];
}

export interface SeenPerson {
  readonly names: string;
  /** Type and value of each, sorted. */
  readonly identifiers: readonly string[];
  /** By key of the property; a cleared one is not there. */
  readonly values: Readonly<Record<string, string>>;
  readonly email: boolean;
  readonly sms: boolean;
}

export async function take(admin: pg.Pool, org: TestOrg): Promise<Snapshot> {
  const { rows } = await admin.query(
    `select
       (select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'names', jsonb_build_array(p.first_name, p.last_name)::text,
         'identifiers', (select coalesce(jsonb_agg(i.type || ' ' || i.value order by i.type, i.value), '[]')
           from identifiers i where i.org_id = $1 and i.person_id = p.id),
         'values', (select coalesce(jsonb_object_agg(c.key,
             coalesce(v.text_value, v.number_value::text, v.boolean_value::text)), '{}')
           from property_values v join property_configs c on c.org_id = $1 and c.id = v.config_id
           where v.org_id = $1 and v.person_id = p.id
             and num_nonnulls(v.text_value, v.number_value, v.boolean_value) = 1),
         'email', coalesce(o.email_opt_out, false), 'sms', coalesce(o.sms_opt_out, false))), '[]')
        from people p left join opt_outs o on o.org_id = $1 and o.person_id = p.id where p.org_id = $1) as people,
       (select coalesce(jsonb_object_agg(id, survivor_id), '{}') from merged_people where org_id = $1) as merged,
       (select coalesce(jsonb_agg(key order by key), '[]') from property_configs where org_id = $1) as configs`,
    [org.id],
  );
  const { people, merged, configs } = rows[0];
  return {
    people: new Map(people.map(({ id, ...person }: { id: string } & SeenPerson) => [id, person])),
    merged: new Map(Object.entries(merged)),
    configs,
  };
}
