import type { ModelPerson } from './import-model.ts';
import type { PatientRows } from './workflow-rows.ts';

/** A person as the tables have it. */
export interface StoredPerson {
  readonly id: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly primary_email: string | null;
  readonly primary_phone: string | null;
  readonly external_user_id: string | null;
  readonly email_opt_out: boolean;
  readonly identifiers: readonly (readonly [type: string, value: string, isFirst: boolean])[];
  readonly values: readonly (readonly [key: string, value: string | number | boolean])[];
}

export const readPeople = (rows: PatientRows, org: string): Promise<StoredPerson[]> =>
  rows.query<StoredPerson>(
    `select p.id, p.first_name, p.last_name, p.primary_email, p.primary_phone, p.external_user_id,
       coalesce(o.email_opt_out, false) as email_opt_out, coalesce(i.all, '[]') as identifiers,
       coalesce(v.all, '[]') as values
     from people p
     left join opt_outs o on o.org_id = p.org_id and o.person_id = p.id
     left join (
       select person_id, json_agg(json_build_array(type, value, is_primary_for_type)) as all
       from identifiers where org_id = $1 group by person_id) i on i.person_id = p.id
     left join (
       select person_id, json_agg(json_build_array(c.key, coalesce(to_json(text_value), to_json(number_value),
         to_json(boolean_value)))) as all
       from property_values v join property_configs c on c.org_id = v.org_id and c.id = v.config_id
       where v.org_id = $1 and num_nonnulls(text_value, number_value, boolean_value) = 1
       group by person_id) v on v.person_id = p.id
     where p.org_id = $1`,
    [org],
  );

export const toModel = (person: StoredPerson): ModelPerson => ({
  id: person.id,
  first_name: person.first_name,
  last_name: person.last_name,
  identifiers: new Map(person.identifiers.map(([type, value, isFirst]) => [`${type} ${value}`, isFirst])),
  values: new Map(person.values),
  isOut: person.email_opt_out,
});

/** Everything that is compared, in one line; of those who came with a file nobody knows the id beforehand. */
export function lineOf(person: ModelPerson): string {
  const firstOf = (type: string): string | null => {
    const found = [...person.identifiers].find(([key, isFirst]) => isFirst && key.startsWith(`${type} `));
    return found?.[0].slice(type.length + 1) ?? null;
  };
  return JSON.stringify([
    person.id,
    person.first_name,
    person.last_name,
    person.isOut,
    [firstOf('email'), firstOf('phone'), firstOf('org_assigned_user_id')],
    [...person.identifiers].toSorted(byKey),
    [...person.values].toSorted(byKey),
  ]);
}

/** The same of what is stored, by what stands on the person's own row. */
export function storedLineOf(person: StoredPerson, wasThere: boolean): string {
  const model = toModel(person);
  return JSON.stringify([
    wasThere ? person.id : null,
    person.first_name,
    person.last_name,
    person.email_opt_out,
    [person.primary_email, person.primary_phone, person.external_user_id],
    [...model.identifiers].toSorted(byKey),
    [...model.values].toSorted(byKey),
  ]);
}

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : a > b ? 1 : 0;
