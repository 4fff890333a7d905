import { expect, test } from 'vitest';
import { mostConfigs } from '../../src/domain/properties/create-property-config.ts';
import { addProperty, draftOf, mapped } from '../support/import.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const session = '0190f3a2_1111_7222_8333_444455556666';

async function errorsOf(org: TestOrg, targets: Readonly<Record<string, unknown>>): Promise<unknown[]> {
  const mapping = { who: 'anonymous_id', ...targets };
  const { import_id } = await draftOf(org, Object.keys(mapping));
  const { status, body } = await org.rest(`PUT /v1/imports/${import_id}/mapping`, { mapping });
  return status === 200 ? [] : body.errors;
}

const made = (key: string): object => ({ new_property: { key, name: 'A name', type: 'string' } });

test.each([
  `webinar_attended_${session}`,
  `webinar_registered_${session.replaceAll('_', '')}`,
  'first_name',
  'email',
  'primary_email',
  'mrr',
  'created_at',
  'subscription_status',
  'id',
  'custom_properties',
  'email_opt_out',
  'skip',
])('IMP-042 the system key %s is refused as a property and as a new one', async (key) => {
  const org = await world().newOrg();
  await addProperty(org, 'a_property');
  expect(await errorsOf(org, { old: { property: key }, new: made(key) })).toMatchObject([
    { pointer: '/mapping/old', code: 'system_key' },
    { pointer: '/mapping/new', code: 'system_key' },
  ]);
});

test('IMP-042 a system key is refused however it is written, and a field is told to be sent as itself', async () => {
  const org = await world().newOrg();
  const keys = [`Webinar-Attended-${session.replaceAll('_', '-')}`, 'First Name', 'firstName', 'MRR'];
  const errors = await errorsOf(org, Object.fromEntries(keys.map((property) => [property, { property }])));
  expect(errors).toHaveLength(keys.length);
  expect(errors).toMatchObject(keys.map(() => ({ code: 'system_key' })));
  expect(errors[1]).toMatchObject({ detail: expect.stringContaining('Send "first_name" itself') });
});

test('IMP-042 a property that happens to have the name of a field can be used', async () => {
  const org = await world().newOrg();
  await addProperty(org, 'mrr', 'number');
  expect(await mapped(org, { who: 'email', it: { property: 'mrr' } })).toEqual(expect.any(String));
});

test('IMP-037 no more new properties than the organization has room for', async () => {
  const org = await world().newOrg();
  await world().admin.query(
    `insert into property_configs (org_id, id, key, name, type, created_at)
     select $1, gen_random_uuid(), 'k' || n, 'k', 'string', now() from generate_series(1, $2::int) n`,
    [org.id, mostConfigs - 2],
  );
  expect(await errorsOf(org, { a: made('new_a'), b: made('new_b') })).toEqual([]);
  expect(await errorsOf(org, { a: made('new_a'), b: made('new_b'), c: made('new_c') })).toMatchObject([
    {
      pointer: '/mapping/c',
      code: 'too_many_properties',
      detail: expect.stringContaining('room for 2 more'),
    },
  ]);
});
