import { expect, test } from 'vitest';
import { addProperty, append, draftOf, mapped, stagedOf } from '../support/import.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

/** What is said of a mapping of `who` to an identifier and `it` to the target. */
async function errorsOf(org: TestOrg, ...targets: unknown[]): Promise<unknown[]> {
  const mapping = Object.fromEntries([
    ['who', 'anonymous_id'],
    ...targets.map((one, at) => [`it${at}`, one]),
  ]);
  const { import_id } = await draftOf(org, Object.keys(mapping));
  const { status, body } = await org.rest(`PUT /v1/imports/${import_id}/mapping`, { mapping });
  return status === 200 ? [] : body.errors;
}

const newProperty = (fields: object): object => ({
  new_property: { key: 'a_key', name: 'A name', type: 'string', ...fields },
});

test('IMP-035 an existing key is found as written and in snake_case, and its values are read as its type', async () => {
  const org = await world().newOrg();
  const seats = await addProperty(org, 'seats', 'number');
  await addProperty(org, 'planTier');
  await addProperty(org, 'plan_tier');
  const mapping = {
    who: 'phone',
    a: { property: 'Seats' },
    b: { property: 'planTier' },
    c: { property: 'Plan Tier' },
  };
  const import_id = await mapped(org, mapping);
  await append(org, import_id, [{ who: '1', a: ' 12 ', b: 'x', c: ' y ' }]);
  expect((await stagedOf(world(), import_id)).rows).toMatchObject([{ values: [12, 'x', ' y '] }]);
  const { rows } = await world().admin.query('select mapping from imports where id = $1', [import_id]);
  expect(rows[0].mapping).toMatchObject({
    targets: { a: { property: 'seats' }, b: { property: 'planTier' }, c: { property: 'plan_tier' } },
    properties: [{ column: 'a', key: 'seats', name: 'seats', type: 'number', config_id: seats }, {}, {}],
  });
});

test('IMP-036 a new property is not made by the mapping, and its values are read as its type', async () => {
  const org = await world().newOrg();
  const import_id = await mapped(org, { who: 'phone', it: newProperty({ key: 'seats', type: 'number' }) });
  const answer = await append(org, import_id, [
    { who: '1', it: '12' },
    { who: '2', it: 'many' },
  ]);
  expect(answer).toMatchObject({ accepted: 1, rejected_rows: [{ row: 2, code: 'not_a_number' }] });
  expect((await org.rest('GET /v1/property-configs')).body).toEqual({ property_configs: [] });
});

test.each([
  ['Plan Tier', 'invalid_format'],
  ['planTier', 'invalid_format'],
  ['plan-tier', 'invalid_format'],
  ['_plan', 'invalid_format'],
  ['1st', 'invalid_format'],
  ['größe', 'invalid_format'],
  ['', 'invalid_format'],
  ['a'.repeat(101), 'too_big'],
  [undefined, 'invalid_type'],
])('IMP-037 a new property with the key %j is refused', async (key, code) => {
  const org = await world().newOrg();
  const errors = await errorsOf(org, newProperty({ key }));
  expect(errors).toMatchObject([{ pointer: '/mapping/it0/new_property/key', code }]);
});

test('IMP-037 a new property is a string, a number or a boolean, and snake_case is taken', async () => {
  const org = await world().newOrg();
  expect(
    await errorsOf(org, newProperty({ type: 'date' }), newProperty({ key: 'b', type: undefined })),
  ).toEqual(
    ['it0', 'it1'].map((column) => ({
      pointer: `/mapping/${column}/new_property/type`,
      code: 'invalid_value',
      detail: 'Must be one of: string, number, boolean.',
      allowed: ['string', 'number', 'boolean'],
    })),
  );
  const fine = ['a', 'plan_tier', 'a1_', `z${'9'.repeat(99)}`];
  const types = ['string', 'number', 'boolean', 'string'];
  expect(await errorsOf(org, ...fine.map((key, at) => newProperty({ key, type: types[at] })))).toEqual([]);
});

test('IMP-037 a key that has a config is no new property, and the answer says how to use it', async () => {
  const org = await world().newOrg();
  await addProperty(org, 'seats', 'number');
  const [error] = await errorsOf(org, newProperty({ key: 'seats', type: 'number' }));
  expect(error).toMatchObject({
    pointer: '/mapping/it0',
    code: 'property_exists',
    detail: expect.stringContaining('{ "property": "seats" }'),
  });
});

test('IMP-041 an unknown key is refused, naming the closest that exists', async () => {
  const org = await world().newOrg();
  const [none] = await errorsOf(org, { property: 'plan' });
  expect(none).toMatchObject({ code: 'unknown_property', detail: expect.stringContaining('new_property') });
  for (const key of ['country', 'plan_tier', 'plan_renewal', 'seats', 'is_customer'])
    await addProperty(org, key);
  const asked = ['plan_teir', 'contry', 'seat', 'PlanRenewel', 'customer'];
  const errors = await errorsOf(org, ...asked.map((property) => ({ property })));
  const closest = ['plan_tier', 'country', 'seats', 'plan_renewal', 'is_customer'];
  expect(errors).toEqual(
    closest.map((key, at) => ({
      pointer: `/mapping/it${at}`,
      code: 'unknown_property',
      detail: expect.stringContaining(key),
      allowed: [key],
    })),
  );
});

test('IMP-043 a property is one target, named twice or once there and once new', async () => {
  const org = await world().newOrg();
  await addProperty(org, 'plan_tier');
  expect(await errorsOf(org, { property: 'plan_tier' }, { property: 'planTier' })).toMatchObject([
    { pointer: '/mapping/it1', code: 'shared_target', detail: expect.stringContaining('it0') },
  ]);
  expect(await errorsOf(org, newProperty({}), newProperty({ type: 'number' }))).toMatchObject([
    { pointer: '/mapping/it1', code: 'shared_target' },
  ]);
});
