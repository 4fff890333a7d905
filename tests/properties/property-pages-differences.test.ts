// Whoever compares the pages must be able to find something: each of these is planted and taken back.
import { beforeAll, expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { differences, newProperty, setAll } from './page-mirror.ts';

const world = useWorld();
let person: string;
let bare: string;

beforeAll(async () => {
  const org = await world().newOrg();
  await newProperty(org, 'tier', 'string');
  await newProperty(org, 'seats', 'number');
  await newProperty(org, 'vip', 'boolean');
  person = await org.person({ email: 'ada@example.com' });
  bare = await org.person({ email: 'grace@example.com' });
  await setAll(org, person, { tier: 'pro', seats: 12, vip: false });
});

test('nothing is found where nothing is wrong', async () => {
  expect(await differences(world().admin)).toEqual([]);
});

const quiet = 'alter table property_values disable trigger user;';
const firstPage = `update property_pages set`;
const planted = [
  ['another text', `${firstPage} t0 = 'Pro'`, '0 t0 (tier): "Pro" instead of "pro"'],
  ['another number', `${firstPage} n0 = 12.5`, '0 n0 (seats): 12.5 instead of 12'],
  ['another boolean', `${firstPage} b0 = true`, '0 b0 (vip): true instead of false'],
  ['an empty place', `${firstPage} b0 = null`, '0 b0 (vip): nothing instead of false'],
  [
    'a value where no property stands',
    `${firstPage} t1 = ''`,
    '0 t1 (of no property): "" instead of nothing',
  ],
  [
    'a value removed without its page',
    `${quiet} delete from property_values where boolean_value is not null`,
    '0 b0 (vip): false instead of nothing',
  ],
  [
    'a value cleared without its page',
    `${quiet} update property_values set text_value = null`,
    '0 t0 (tier): "pro" instead of nothing',
  ],
  [
    'a long text that stands for itself',
    `${quiet} update property_values set text_value = repeat('x', 501) where text_value is not null;
     ${firstPage} t0 = repeat('x', 501)`,
    `0 t0 (tier): "${'x'.repeat(501)}" instead of "${'x'.repeat(100)}`,
  ],
] as const;

test.each(planted)('%s is found', async (_, sql, difference) => {
  expect(await differencesAfter(sql)).toEqual([expect.stringContaining(`${person} page ${difference}`)]);
});

test('a page that is missing is found, with everything that should be there', async () => {
  expect(await differencesAfter('delete from property_pages')).toEqual([
    `${person} page 0 b0 (vip): nothing instead of false`,
    `${person} page 0 n0 (seats): nothing instead of 12`,
    `${person} page 0 t0 (tier): nothing instead of "pro"`,
  ]);
});

test('values on the wrong page are found on both', async () => {
  const found = await differencesAfter('update property_pages set page = 1');
  expect(found).toHaveLength(6);
  expect(found).toContain(`${person} page 1 n0 (of no property): 12 instead of nothing`);
});

test('a page of somebody without values is found only by what it holds', async () => {
  const insert = `insert into property_pages (org_id, person_id, page, n0) select org_id, '${bare}', 0`;
  expect(await differencesAfter(`${insert}, null from people limit 1`)).toEqual([]);
  expect(await differencesAfter(`${insert}, 0 from people limit 1`)).toEqual([
    `${bare} page 0 n0 (seats): 0 instead of nothing`,
  ]);
});

test('a config that changed its place is found', async () => {
  expect(await differencesAfter(`update property_configs set slot = 9 where key = 'seats'`)).toEqual([
    `${person} page 0 n0 (of no property): 12 instead of nothing`,
    `${person} page 1 n1 (seats): nothing instead of 12`,
  ]);
});

async function differencesAfter(sql: string): Promise<string[]> {
  const { admin } = world();
  await admin.query('begin');
  try {
    await admin.query(sql);
    return await differences(admin);
  } finally {
    await admin.query('rollback');
  }
}
