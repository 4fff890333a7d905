import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import type { OrgId, PersonId } from '../../../kernel/ids.ts';
import { writtenColumns, type SentFields } from '../../people/identify/sent-person.ts';
import { fromColumns, type PropertyScalar } from '../../properties/property-value.ts';
import type { MappedValues } from '../record/mapping.ts';

/** A stored person whom rows mean. */
export interface KnownPerson extends SentFields {
  readonly id: PersonId;
  readonly updated_at: Date;
  readonly email_opt_out: boolean;
  readonly sms_opt_out: boolean;
  /** In the order of the configs asked for, shortened. */
  readonly values: MappedValues;
}

/**
 * What is known of people, by id. A property without a config yet has no values. Looks each up by key, whatever the
 * statistics say: without the fence, a table not analyzed lately had all values of a property read, of a million
 * people.
 */
export async function readPeople(
  { db, org }: Work,
  ids: readonly PersonId[],
  configs: readonly (string | null)[],
): Promise<Map<PersonId, KnownPerson>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Omit<KnownPerson, 'values'>>`
    select p.*, coalesce(o.email_opt_out, false) as email_opt_out, coalesce(o.sms_opt_out, false) as sms_opt_out
    from unnest(${ids}::uuid[]) as meant(id)
    cross join lateral (
      select id, ${writtenColumns()}, updated_at from people where org_id = ${org} and id = meant.id limit 1) p
    left join lateral (
      select email_opt_out, sms_opt_out from opt_outs where org_id = ${org} and person_id = meant.id limit 1) o
      on true`.execute(db);
  const values = await readValues(db, org, ids, configs);
  return new Map(
    rows.map((row) => [row.id, { ...row, values: values.get(row.id) ?? configs.map(() => null) }]),
  );
}

const mostKept = 64;

/** A value as kept here: fifty thousand people may have a hundred long texts each, which are only compared. */
export const shortened = (value: PropertyScalar): PropertyScalar =>
  typeof value === 'string' && Buffer.byteLength(value) > mostKept
    ? `sha256 ${createHash('sha256').update(value).digest('hex')}`
    : value;

type StoredValue = Parameters<typeof fromColumns>[0] & {
  readonly person_id: PersonId;
  readonly config_id: string;
};

async function readValues(
  db: Work['db'],
  org: OrgId,
  ids: readonly PersonId[],
  configs: readonly (string | null)[],
): Promise<Map<PersonId, (PropertyScalar | null)[]>> {
  const places = new Map(configs.flatMap((id, place) => (id === null ? [] : [[id, place]])));
  const values = new Map<PersonId, (PropertyScalar | null)[]>();
  if (places.size === 0) return values;
  const { rows } = await sql<StoredValue>`
    select v.* from unnest(${ids}::uuid[]) as meant(id) cross join lateral (
      select person_id, config_id, number_value, boolean_value, case when octet_length(text_value) <= ${mostKept}
        then text_value else 'sha256 ' || encode(sha256(convert_to(text_value, 'UTF8')), 'hex') end as text_value
      from property_values
      where org_id = ${org} and person_id = meant.id and config_id = any(array(
          select id from property_configs where org_id = ${org} and id = any(${[...places.keys()]}::uuid[])))
      limit ${places.size}) v`.execute(db);
  for (const row of rows) {
    const own = values.get(row.person_id) ?? configs.map(() => null);
    own[places.get(row.config_id)!] = fromColumns(row);
    values.set(row.person_id, own);
  }
  return values;
}
