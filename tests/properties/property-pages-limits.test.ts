// How many properties and how long a text the pages must hold.
import { expect, test } from 'vitest';
import { longestInPage, placeOf } from '../../src/domain/properties/property-place.ts';
import { newSegment, listMembers } from '../support/segment.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { cellsOf, differences, newProperty, setAll } from './page-mirror.ts';

const world = useWorld();

const cells = (person: string) => cellsOf(world().admin, person);

test('twenty texts stand on three pages, with numbers and booleans beside the first of them', async () => {
  const org = await world().newOrg();
  const person = await org.person({ email: 'ada@example.com' });
  const expected: Record<string, unknown> = {};
  for (let n = 0; n < 20; n++) {
    await newProperty(org, `text_${n}`, 'string');
    await setAll(org, person, { [`text_${n}`]: `text ${n}` });
    expected[`${Math.floor(n / 8)}.t${n % 8}`] = `text ${n}`;
  }
  for (let n = 0; n < 9; n++) {
    await newProperty(org, `number_${n}`, 'number');
    await newProperty(org, `boolean_${n}`, 'boolean');
    await setAll(org, person, { [`number_${n}`]: n, [`boolean_${n}`]: n % 2 === 0 });
    expected[`${Math.floor(n / 8)}.n${n % 8}`] = n;
    expected[`0.b${n}`] = n % 2 === 0;
  }
  expect(await cells(person)).toEqual(expected);
  expect(await differences(world().admin)).toEqual([]);
});

const samples = { string: 'the last', number: -7.25, boolean: false } as const;

test.each(['string', 'number', 'boolean'] as const)(
  'three hundred properties of type %s have a place each, the last one works, and one more is refused',
  async (type) => {
    const { admin } = world();
    const org = await world().newOrg();
    await admin.query(
      `insert into property_configs (org_id, id, key, name, type, created_at)
       select $1, gen_random_uuid(), 'key_' || n, 'A key', $2, now() from generate_series(0, 297) n`,
      [org.id, type],
    );
    await newProperty(org, 'key_298', type);
    await newProperty(org, 'last', type);
    for (const more of ['string', 'number', 'boolean']) {
      const sent = { key: 'more', name: 'More', type: more };
      const refused = { status: 400, code: 'invalid_request' };
      expect((await org.rest('POST /v1/property-configs', sent)).body).toMatchObject(refused);
      expect((await org.tool('create_property_config', sent)).body).toMatchObject(refused);
    }

    const person = await org.person({ email: 'ada@example.com' });
    await setAll(org, person, { last: samples[type] });
    const { page, column } = placeOf(type, 299);
    expect(await cells(person)).toEqual({ [`${page}.${column}`]: samples[type] });
    const condition = { custom_property_key: 'last', op: 'eq', value: samples[type] };
    expect(await listMembers(org, await newSegment(org, [condition]))).toEqual([person]);

    const all = await placesOfAll(org, person);
    expect(new Set(all.map(({ slot }) => slot))).toEqual(new Set(Array.from({ length: 300 }, (_, n) => n)));
    const places = all.map(({ slot }) => placeOf(type, slot));
    expect(Object.keys(await cells(person)).toSorted()).toEqual(
      places.map((place) => `${place.page}.${place.column}`).toSorted(),
    );

    const middle = all.find(({ slot }) => slot === 150)!;
    expect((await org.rest(`DELETE /v1/property-configs/${middle.id}`)).status).toBe(200);
    const instead = await newProperty(org, 'instead', type);
    const { rows } = await admin.query('select slot from property_configs where id = $1', [instead]);
    expect(rows).toEqual([{ slot: 150 }]);
    expect(Object.keys(await cells(person))).toHaveLength(299);
    expect(await differences(world().admin)).toEqual([]);
  },
);

/** Gives somebody a value for every property, in one statement, and tells where they stand. */
async function placesOfAll(org: TestOrg, person: string): Promise<{ id: string; slot: number }[]> {
  const { admin } = world();
  await admin.query(
    `insert into property_values (org_id, person_id, config_id, text_value, number_value, boolean_value, changed_by, created_at)
     select org_id, $2, id, case type when 'string' then key end, case type when 'number' then slot end,
       case type when 'boolean' then slot % 2 = 0 end, new_id(now()), now()
     from property_configs where org_id = $1 on conflict do nothing`,
    [org.id, person],
  );
  const { rows } = await admin.query('select id, slot from property_configs where org_id = $1', [org.id]);
  return rows;
}

test('a text stands in its page as it is up to 500 bytes; a longer one has a key of its own there', async () => {
  const org = await world().newOrg();
  await newProperty(org, 'note', 'string');
  const person = await org.person({ email: 'ada@example.com' });
  const texts = [
    'x'.repeat(499),
    'x'.repeat(500),
    'x'.repeat(501),
    `${'x'.repeat(498)}é`,
    `${'x'.repeat(499)}é`,
    `é${'x'.repeat(498)}`,
    `é${'x'.repeat(499)}`,
    'é'.repeat(250),
    'é'.repeat(251),
    '€'.repeat(166),
    '€'.repeat(167),
    '🙂'.repeat(125),
    '🙂'.repeat(126),
    `${'x'.repeat(500)}y`,
    `${'x'.repeat(500)} `,
    'x'.repeat(8_192),
    `${'x'.repeat(8_191)}y`,
    '😀'.repeat(4_096),
  ];
  const held = new Map<string, unknown>();
  const set = async (text: string): Promise<void> => {
    await setAll(org, person, { note: text });
    held.set(text, (await cells(person))['0.t0']);
  };
  for (const text of texts) await set(text);
  // A text that looks like the key of another is too long itself to stand for itself.
  await set(String(held.get('x'.repeat(501))));
  const bytes = (some: unknown): number => Buffer.byteLength(String(some));
  const short = [...held].filter(([text]) => bytes(text) <= longestInPage);
  const long = [...held].filter(([text]) => bytes(text) > longestInPage);
  expect([short.length, long.length]).toEqual([7, 12]);
  for (const [text, key] of short) expect(key).toBe(text);
  for (const [text, key] of long) {
    expect(key).not.toBe(text);
    expect(bytes(key)).toBeGreaterThan(longestInPage);
  }
  expect(new Set(held.values()).size).toBe(texts.length + 1);
  await setAll(org, person, { note: 'short again' });
  expect(await cells(person)).toEqual({ '0.t0': 'short again' });
  expect(await differences(world().admin)).toEqual([]);
});
