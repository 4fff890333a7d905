import type pg from 'pg';
import { scoreAt } from '../support/engagement.ts';
import type { TestOrg } from '../support/test-org.ts';
import { dateFields, fixedValues, numberFields, textFields, type Person, type Population } from './facts.ts';
import type { Random } from './random.ts';
import { randomPropertyValue } from './random-people.ts';
import { phrase } from './random-texts.ts';
import { storeValues } from './store-people.ts';

/**
 * Changes people as callers change them: values set, cleared and deleted, names given, people merged and deleted, new
 * properties made in the places of deleted ones. Whoever is left is read back from the tables.
 */
export async function changePeople(
  admin: pg.Client,
  org: TestOrg,
  random: Random,
  population: Population,
): Promise<Population> {
  const { people, now } = population;
  for (let n = 0; n < people.length / 4; n++) await changeSomebody(org, random, population);
  const left = await readPeople(admin, org, people, now);
  const late = population.configs.filter(({ role }) => role === 'late');
  await storeValues(admin, org, { ...population, people: left, configs: late });
  const configs = population.configs
    .filter(({ role }) => role !== 'doomed')
    .map((config) => ({ ...config, role: config.role === 'late' ? ('stays' as const) : config.role }));
  return { ...population, configs, people: await readPeople(admin, org, left, now) };
}

async function changeSomebody(org: TestOrg, random: Random, { people, configs }: Population): Promise<void> {
  const config = random.pick(configs.filter(({ role }) => role === 'stays'));
  const [one, other] = [random.pick(people), random.pick(people)];
  const property = `/v1/people/${one.id}/properties/${config.key}`;
  const email = one.fields['primary_email'] ?? undefined;
  const { status, body } = await random.weighted(
    [6, () => org.rest(`PUT ${property}`, { value: randomPropertyValue(random, config) })],
    [2, () => org.rest(`DELETE ${property}`)],
    [1, () => org.rest(`DELETE /v1/people/${one.id}?drop_suppression=true`)],
    [1, () => org.rest('POST /v1/people/identify', { email, phone: other.fields['primary_phone'] ?? '1' })],
    [
      1,
      () => org.rest('POST /v1/people/identify', { email, anonymous_id: one.id, last_name: phrase(random) }),
    ],
    [1, () => org.rest(`PATCH /v1/people/${one.id}/opt-outs`, { email_opt_out: random.chance(0.5) })],
  );
  // Somebody may be gone by now, or have no value to delete.
  if (status !== 200 && status !== 404) throw new Error(`a change was refused: ${JSON.stringify(body)}`);
}

const storedAs: Readonly<Record<string, string>> = {
  org_assigned_user_id: 'external_user_id as org_assigned_user_id',
  email_engagement_score: 'engagement',
};
const columns = [...numberFields, ...dateFields, ...textFields, ...Object.keys(fixedValues)].map(
  (field) => storedAs[field] ?? field,
);

async function readPeople(
  admin: pg.Client,
  org: TestOrg,
  before: readonly Person[],
  now: Date,
): Promise<Person[]> {
  const { rows: people } = await admin.query(
    `select id, ${columns.join(', ')}, mrr::float8, ltv::float8,
       address.email as "mailAddress",
       exists (select 1 from email_blacklist b where b.person_id = p.id and b.email = address.email) as blacklisted,
       (select json_build_object('email', email_opt_out, 'sms', sms_opt_out) from opt_outs o where o.person_id = p.id)
         as "optOuts"
     from people p, lateral (
       select case when primary_contact_method = 'email' then primary_email else other_email end as email
     ) address
     where org_id = $1`,
    [org.id],
  );
  const { rows: values } = await admin.query(
    `select v.person_id, c.key, v.text_value, v.number_value, v.boolean_value
     from property_values v join property_configs c on c.org_id = v.org_id and c.id = v.config_id
     where v.org_id = $1`,
    [org.id],
  );
  const known = new Map(before.map((person) => [person.id, person]));
  const valuesOf = Map.groupBy(values, ({ person_id }) => person_id as string);
  return people.map(({ id, blacklisted, mailAddress, optOuts, engagement, ...fields }) => {
    const own = (valuesOf.get(id) ?? []).map((row): [string, string | number | boolean | null] => [
      row.key,
      row.text_value ?? row.number_value ?? row.boolean_value,
    ]);
    const toCome = [...(known.get(id)?.properties ?? [])].filter(([key]) => key.startsWith('new_'));
    return {
      id,
      fields: { ...fields, email_engagement_score: scoreAt(engagement, now) },
      createdAt: fields.created_at,
      blacklisted,
      mailAddress,
      optOuts,
      properties: new Map([...toCome, ...own]),
    };
  });
}
