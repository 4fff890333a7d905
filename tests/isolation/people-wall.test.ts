import { beforeAll, expect, test } from 'vitest';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

interface Furnished {
  readonly org: TestOrg;
  readonly person_id: string;
  readonly identifier_id: string;
  readonly config_id: string;
}

/** The same address, key and value in every organization: only the wall tells them apart. */
async function newFurnished(): Promise<Furnished> {
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'zoltan@example.com', first_name: 'Zoltan' });
  const { identifiers } = (await org.tool('list_identifiers', { person_id })).body;
  const made = await org.tool('create_property_config', { key: 'tier', name: 'Tier', type: 'string' });
  await org.tool('set_person_property', { person_id, key: 'tier', value: 'pro' });
  await org.tool('set_opt_outs', { person_id, sms_opt_out: true });
  return { org, person_id, identifier_id: identifiers[0].id, config_id: made.body.property_config.id };
}

let ours: Furnished;
let theirs: Furnished;
beforeAll(async () => {
  ours = await newFurnished();
  theirs = await newFurnished();
});

const tables = ['people', 'identifiers', 'property_configs', 'property_values', 'opt_outs', 'audit_log'];

/** Everything about people of every organization, as stored. */
async function stored(): Promise<unknown> {
  const sums = tables.map(
    (table) => `(select md5(string_agg(t::text, '' order by t::text)) from ${table} t) ${table}`,
  );
  return (await world().admin.query(`select ${sums.join(', ')}`)).rows[0];
}

/** How our organization was answered, whether anything of theirs was told, and whether anything changed anywhere. */
async function attempt(call: () => Promise<{ body: { code: string; status: number } }>) {
  const before = JSON.stringify(await stored());
  const { body } = await call();
  // No word of these can stand in an id by chance.
  const told = /zoltan|tier|pro\b/i.test(JSON.stringify(body));
  return { code: body.code, status: body.status, told, changed: JSON.stringify(await stored()) !== before };
}

const notFound = { code: 'not_found', status: 404, told: false, changed: false };

test('TEN-011 a config_id of another organization is not found', async () => {
  const { org } = ours;
  const { config_id } = theirs;
  const name = 'Renamed';
  for (const call of [
    () => org.tool('update_property_config', { config_id, name }),
    () => org.rest(`PATCH /v1/property-configs/${config_id}`, { name }),
    () => org.tool('delete_property_config', { config_id }),
    () => org.rest(`DELETE /v1/property-configs/${config_id}`),
  ]) {
    expect(await attempt(call)).toEqual(notFound);
  }
});

test.each([
  ['get_person', {}],
  ['delete_person', {}],
  ['list_identifiers', {}],
  ['add_identifier', { identifier_type: 'chat', identifier_value: 'chat-1' }],
  ['update_identifier', { is_contact_method: false }],
  ['remove_identifier', {}],
  ['get_person_properties', {}],
  ['set_person_property', { key: 'tier', value: 'free' }],
  ['delete_person_property', { key: 'tier' }],
  ['list_subscriptions', {}],
  ['get_opt_outs', {}],
  ['set_opt_outs', { email_opt_out: true, sms_opt_out: false }],
])('TEN-012 %s finds no person_id of another organization', async (tool, args) => {
  const { person_id, identifier_id } = theirs;
  const identifier = /^(update|remove)_identifier$/.test(tool) ? { identifier_id } : {};
  const call = () => ours.org.tool(tool, { person_id, ...identifier, ...args });
  expect(await attempt(call)).toEqual(notFound);
});

test('TEN-013 an identifier_id of another organization is not found, whoever’s person is named', async () => {
  const { org } = ours;
  const { identifier_id } = theirs;
  const identifier_value = 'taken-over@example.com';
  for (const person_id of [ours.person_id, theirs.person_id]) {
    const path = `/v1/people/${person_id}/identifiers/${identifier_id}`;
    for (const call of [
      () => org.tool('update_identifier', { person_id, identifier_id, identifier_value }),
      () => org.tool('remove_identifier', { person_id, identifier_id }),
      () => org.rest(`PATCH ${path}`, { identifier_value }),
      () => org.rest(`DELETE ${path}`),
    ]) {
      expect(await attempt(call)).toEqual(notFound);
    }
  }
});

test('TEN-001 one id in two organizations names for each its own person, to read and to write', async () => {
  const [first, second] = [await world().newOrg(), await world().newOrg()];
  const id = await first.person({ email: 'first@example.com' });
  await world().admin.query(
    `insert into people (org_id, id, first_name, created_at, updated_at) values ($1, $2, 'Second', now(), now())`,
    [second.id, id],
  );
  const nameOf = async (org: TestOrg) => (await org.rest(`GET /v1/people/${id}`)).body.person.first_name;
  expect([await nameOf(first), await nameOf(second)]).toEqual([null, 'Second']);
  await second.tool('set_opt_outs', { person_id: id, email_opt_out: true });
  const optOut = async (org: TestOrg) => {
    const { body } = await org.tool('get_opt_outs', { person_id: id });
    return body.opt_outs.email_opt_out;
  };
  expect([await optOut(first), await optOut(second)]).toEqual([false, true]);
  expect((await first.tool('delete_person', { person_id: id })).body).toEqual({
    deleted: true,
    person_id: id,
  });
  expect((await first.rest(`GET /v1/people/${id}`)).status).toBe(404);
  expect(await nameOf(second)).toBe('Second');
});

test('TEN-016 search_people and list_people know only people of the organization, total included', async () => {
  const [small, large] = [await world().newOrg(), await world().newOrg()];
  const mine = await small.person({ email: 'shared-1@example.com' });
  // More than a search looks at before it asks its index.
  await world().admin.query(
    `with made as (insert into people (org_id, id, primary_email, created_at, updated_at)
       select $1, new_id(now()), 'shared-' || n || '@example.com', now(), now() from generate_series(1, 4500) n
       returning id, primary_email)
     insert into identifiers (org_id, id, person_id, type, value, is_primary_for_type, created_at)
     select $1, new_id(now()), id, 'email', primary_email, true, now() from made`,
    [large.id],
  );
  for (const query of ['shared', 'shared-1@', 's', '@']) {
    const { people } = (await small.tool('search_people', { query })).body;
    expect(people.map(({ id }: { id: string }) => id)).toEqual([mine]);
    expect((await large.rest('POST /v1/people/search', { query })).body.people).not.toContainEqual(
      expect.objectContaining({ id: mine }),
    );
  }
  expect((await small.tool('search_people', { query: 'shared-4500' })).body.people).toEqual([]);
  for (const filter of [
    {},
    { email: 'shared-1@example.com' },
    { identified: true },
    { sort: 'primary_email' },
  ]) {
    const { people, total } = (await small.tool('list_people', filter)).body;
    expect({ total, ids: people.map(({ id }: { id: string }) => id) }).toEqual({ total: 1, ids: [mine] });
  }
  expect((await large.rest('GET /v1/people?limit=1')).body.total).toBe(4500);
  expect((await large.rest('GET /v1/people?limit=1&identified=true')).body.total).toBe(4500);
});
