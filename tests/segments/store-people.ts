import type pg from 'pg';
import { engagementOf } from '../support/engagement.ts';
import type { TestOrg } from '../support/test-org.ts';
import type { Person, Population } from './facts.ts';
import type { Random } from './random.ts';

/** Writes an organization's people and their facts, but for what is to come later. */
export async function storePeople(
  admin: pg.Client,
  org: TestOrg,
  random: Random,
  population: Population,
): Promise<Population> {
  const { people, now } = population;
  const configs = population.configs.filter(({ role }) => role !== 'late');
  const rows = people.map((person) => ({ ...personRow(person, now), org_id: org.id, updated_at: now }));
  const columns = Object.keys(rows[0]!).join(', ');
  await admin.query(
    `insert into people (${columns}) select ${columns} from json_populate_recordset(null::people, $1)`,
    [JSON.stringify(rows)],
  );
  const insert = (sql: string, of: readonly unknown[]) => admin.query(sql, [JSON.stringify(of), org.id, now]);
  await insert(
    `insert into identifiers (org_id, id, person_id, type, value, is_contact_method, is_primary_for_type, created_at)
     select $2, id, person_id, type, value, true, is_primary, $3
     from json_to_recordset($1) as r(id uuid, person_id uuid, type text, value text, is_primary boolean)`,
    people.flatMap((person) => identifierRows(random, person)),
  );
  await insert(
    `insert into opt_outs (org_id, person_id, email_opt_out, sms_opt_out, updated_at)
     select $2, id, email, sms, $3 from json_to_recordset($1) as r(id uuid, email boolean, sms boolean)`,
    people.flatMap(({ id, optOuts }) => (optOuts === null ? [] : { id, ...optOuts })),
  );
  await insert(
    `insert into email_blacklist (org_id, id, person_id, email, reason, created_at)
     select $2, gen_random_uuid(), id, email, 'bounced', $3 from json_to_recordset($1) as r(id uuid, email text)`,
    people.flatMap(({ id, fields, blacklisted }) =>
      blacklisted ? { id, email: fields['primary_email'] } : [],
    ),
  );
  await storeValues(admin, org, { ...population, configs });
  return { ...population, configs };
}

/** Makes the configs and writes what people have for them. */
export async function storeValues(
  admin: pg.Client,
  org: TestOrg,
  { configs, people, now }: Population,
): Promise<void> {
  const ids = new Map<string, string>();
  for (const { key, type } of configs) {
    const { body } = await org.rest('POST /v1/property-configs', { key, name: key, type });
    ids.set(key, body.property_config.id);
  }
  const rows = people.flatMap(({ id, properties }) =>
    Array.from(properties)
      .filter(([key]) => ids.has(key))
      .map(([key, value]) => ({ person: id, config: ids.get(key), ...valueRow(value) })),
  );
  await admin.query(
    `insert into property_values (org_id, person_id, config_id, text_value, number_value, boolean_value, changed_by,
       created_at)
     select $2, person, config, text, number, truth, gen_random_uuid(), $3
     from json_to_recordset($1) as r(person uuid, config uuid, text text, number float8, truth boolean)`,
    [JSON.stringify(rows), org.id, now],
  );
}

function personRow({ id, fields }: Person, now: Date): Record<string, unknown> {
  const { org_assigned_user_id: external_user_id, email_engagement_score: score, ...columns } = fields;
  const engagement = typeof score === 'number' ? engagementOf(score, now) : null;
  const row = Object.entries({ ...columns, external_user_id, engagement });
  return {
    id,
    assigned_team_members: [],
    ...Object.fromEntries(row.map(([name, fact]) => [name, asPostgres(fact ?? null)])),
  };
}

/** What the person's own columns repeat, and other addresses that no filter may look at. */
function identifierRows(random: Random, { id: person_id, fields }: Person): unknown[] {
  const row = (type: string, value: unknown, is_primary: boolean) =>
    value === null ? [] : { id: random.uuid(), person_id, type, value, is_primary };
  return [
    row('email', fields['primary_email'], true),
    row('phone', fields['primary_phone'], true),
    row('org_assigned_user_id', fields['org_assigned_user_id'], true),
    random.chance(0.3) ? row('email', `second.${person_id}@example.com`, false) : [],
  ].flat();
}

const valueRow = (value: string | number | boolean | null): Record<string, unknown> => ({
  ...(typeof value === 'string' && { text: value }),
  ...(typeof value === 'number' && { number: asPostgres(value) }),
  ...(typeof value === 'boolean' && { truth: value }),
});

/** JSON has no sign on a zero, and ISO 8601 as JavaScript writes it has years that PostgreSQL does not read. */
function asPostgres(fact: string | number | Date | null): string | null {
  if (Object.is(fact, -0)) return '-0';
  if (!(fact instanceof Date)) return fact === null ? null : String(fact);
  const year = fact.getUTCFullYear();
  const rest = fact.toISOString().slice(-20);
  const yearOf = (counted: number): string => String(counted).padStart(4, '0');
  return year > 0 ? `${yearOf(year)}${rest}` : `${yearOf(1 - year)}${rest} BC`;
}
