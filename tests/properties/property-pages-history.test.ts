// A long random life of a few people and properties, one step after another.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyChanges } from '../../src/domain/properties/apply-changes.ts';
import type { PropertyType } from '../../src/domain/properties/property-config.ts';
import type { TestOrg } from '../support/test-org.ts';
import { seed, tries } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import { differences } from './page-mirror.ts';

const world = useWorld();

const types = ['string', 'number', 'boolean'] as const;
const person = fc.nat({ max: 9 });
const key = fc.nat({ max: 11 }).map((n) => `key_${n}`);
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }).map((some) => some.replaceAll('\0', '')),
  fc.integer({ min: 490, max: 510 }).map((length) => 'x'.repeat(length)),
  fc.integer({ min: 245, max: 255 }).map((length) => 'é'.repeat(length)),
);
/** One value of each type; the config tells which of them is sent. */
const values = fc.record({
  string: text,
  number: fc.double({ noNaN: true, noDefaultInfinity: true }),
  boolean: fc.boolean(),
});

const steps = {
  set: [40, fc.record({ person, key, values })],
  clear: [8, fc.record({ person, key })],
  remove: [10, fc.record({ person, key })],
  identify: [12, fc.record({ person, keys: fc.uniqueArray(key, { minLength: 1 }), values })],
  apply: [12, fc.record({ which: fc.nat() })],
  deleteProperty: [5, fc.record({ key })],
  createProperty: [7, fc.record({ key, type: fc.constantFrom(...types) })],
  merge: [5, fc.record({ person, other: person })],
  deletePerson: [5, fc.record({ person })],
} as const;
type Name = keyof typeof steps;
type Sent<N extends Name> = (typeof steps)[N][1] extends fc.Arbitrary<infer T> ? T : never;
type Step = { [N in Name]: { readonly name: N; readonly sent: Sent<N> } }[Name];

const step = fc.oneof(
  ...Object.entries(steps).map(([name, [weight, sent]]) => ({
    weight,
    arbitrary: (sent as fc.Arbitrary<unknown>).map((one) => ({ name, sent: one }) as Step),
  })),
);

/** One of every step that comes off whatever was before, so that none is missed by chance. */
const lastSteps: readonly Step[] = [
  { name: 'deleteProperty', sent: { key: 'key_0' } }, // it may be gone
  { name: 'createProperty', sent: { key: 'key_0', type: 'string' } },
  { name: 'set', sent: { person: 0, key: 'key_0', values: { string: 'one', number: 1, boolean: true } } },
  { name: 'clear', sent: { person: 0, key: 'key_0' } },
  { name: 'remove', sent: { person: 0, key: 'key_0' } },
  {
    name: 'identify',
    sent: { person: 0, keys: ['key_0'], values: { string: 'two', number: 2, boolean: false } },
  },
  { name: 'apply', sent: { which: 0 } },
  { name: 'merge', sent: { person: 0, other: 1 } },
  { name: 'deletePerson', sent: { person: 0 } },
  { name: 'deleteProperty', sent: { key: 'key_0' } },
];

const put = (org: TestOrg, id: string, at: string, value: unknown) =>
  org.rest(`PUT /v1/people/${id}/properties/${at}`, { value });

/** Takes one step and answers the status of the call it was about. */
async function take(
  org: TestOrg,
  { name, sent }: Step,
  configs: Map<string, { id: string; type: PropertyType }>,
) {
  const who = (n: number) => org.person({ email: `${n}@example.com`, phone: `${n}` });
  switch (name) {
    case 'set': {
      const value = sent.values[configs.get(sent.key)?.type ?? 'string'];
      return (await put(org, await who(sent.person), sent.key, value)).status;
    }
    case 'clear':
      return (await put(org, await who(sent.person), sent.key, null)).status;
    case 'remove':
      return (await org.rest(`DELETE /v1/people/${await who(sent.person)}/properties/${sent.key}`)).status;
    case 'identify': {
      const known = sent.keys.flatMap((at) =>
        configs.has(at) ? [[at, sent.values[configs.get(at)!.type]]] : [],
      );
      const custom_properties = Object.fromEntries(known);
      return (
        await org.rest('POST /v1/people/identify', { email: `${sent.person}@example.com`, custom_properties })
      ).status;
    }
    case 'apply': {
      const { rows } = await world().admin.query<{ id: string }>(
        'select id from property_changes order by id',
      );
      if (rows.length === 0) return 404;
      return (await applyChanges(world().database, org.id, rows[sent.which % rows.length]!.id)) ? 200 : 404;
    }
    case 'deleteProperty': {
      const id = configs.get(sent.key)?.id;
      if (id === undefined) return 404;
      configs.delete(sent.key);
      return (await org.rest(`DELETE /v1/property-configs/${id}`)).status;
    }
    case 'createProperty': {
      const { status, body } = await org.rest('POST /v1/property-configs', { name: 'A key', ...sent });
      if (status === 201) configs.set(sent.key, { id: body.property_config.id, type: sent.type });
      return status;
    }
    case 'merge':
      await Promise.all([who(sent.person), who(sent.other)]);
      return (
        await org.rest('POST /v1/people/identify', {
          email: `${sent.person}@example.com`,
          phone: `${sent.other}`,
        })
      ).status;
    case 'deletePerson':
      return (await org.rest(`DELETE /v1/people/${await who(sent.person)}`)).status;
  }
}

test('after each of many random steps over ten people and twelve properties the pages repeat the values', async () => {
  const history = fc.sample(step, tries(600));
  const org = await world().newOrg();
  const configs = new Map<string, { id: string; type: PropertyType }>();
  for (let n = 0; n < 12; n++) {
    await take(org, { name: 'createProperty', sent: { key: `key_${n}`, type: types[n % 3]! } }, configs);
  }
  const done = new Set<string>();
  for (const [index, one] of [...history, ...lastSteps].entries()) {
    const status = await take(org, one, configs);
    const where = `seed ${seed}, step ${index}: ${JSON.stringify(one)}`;
    expect([where, status]).toEqual([where, expect.toBeOneOf([200, 201, 404, 409])]);
    expect([where, ...(await differences(world().admin))]).toEqual([where]);
    if (status < 300) done.add(one.name);
  }
  expect(done).toEqual(new Set(Object.keys(steps)));
  const { rows } = await world().admin.query(`select count(*)::int as values from property_values
    where num_nonnulls(text_value, number_value, boolean_value) > 0`);
  expect(rows[0].values).toBeGreaterThan(0);
}, 300_000);
