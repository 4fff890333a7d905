import { expect, test } from 'vitest';
import { addProperty, withRows } from '../support/import.ts';
import { preview } from '../support/import-preview.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const setProperty = (person: string, key: string, value: unknown) =>
  [`PUT /v1/people/${person}/properties/${key}`, { value }] as const;

test('IMP-056 it counts existing values that change, per property, and not those that are set first', async () => {
  const org = await world().newOrg();
  await addProperty(org, 'tier');
  await addProperty(org, 'seats', 'number');
  const people = ['a', 'b', 'c', 'd'];
  for (const one of people) {
    const person = await org.person({ email: `${one}@example.com` });
    if (one !== 'd') await org.rest(...setProperty(person, 'tier', 'gold'));
    await org.rest(...setProperty(person, 'seats', one === 'c' ? null : 5));
  }
  const mapping = { mail: 'email', tier: { property: 'tier' }, seats: { property: 'seats' } };
  const id = await withRows(org, mapping, [
    { mail: 'a@example.com', tier: 'iron', seats: '5' },
    { mail: 'b@example.com', tier: 'gold', seats: 6 },
    { mail: 'c@example.com', tier: ' ', seats: 7 },
    { mail: 'd@example.com', tier: 'iron', seats: null },
    { mail: 'a@example.com', tier: 'tin' },
    { mail: 'e@example.com', tier: 'tin', seats: 1 },
  ]);
  const { values_changed, people_to_update, people_unchanged } = await preview(org, id);
  expect(values_changed).toEqual([
    { key: 'tier', count: 1 },
    { key: 'seats', count: 1 },
  ]);
  expect([people_to_update, people_unchanged]).toEqual([4, 0]);
});

test('IMP-056 a value that a later row puts back has not changed', async () => {
  const org = await world().newOrg();
  await addProperty(org, 'tier');
  const person = await org.person({ email: 'a@example.com' });
  await org.rest(...setProperty(person, 'tier', 'gold'));
  const id = await withRows(org, { mail: 'email', tier: { property: 'tier' } }, [
    { mail: 'a@example.com', tier: 'iron' },
    { mail: 'a@example.com', tier: 'gold' },
  ]);
  expect(await preview(org, id)).toMatchObject({
    values_changed: [{ key: 'tier', count: 0 }],
    people_to_update: 0,
    people_unchanged: 1,
  });
});

test('IMP-056 long texts are told apart to the last letter', async () => {
  const org = await world().newOrg();
  await addProperty(org, 'note');
  const long = 'ä long text '.repeat(600);
  for (const [email, value] of [
    ['same@example.com', long],
    ['other@example.com', long],
    ['edge@example.com', 'x'.repeat(64)],
    ['past@example.com', 'x'.repeat(65)],
  ] as const)
    await org.rest(...setProperty(await org.person({ email }), 'note', value));
  const id = await withRows(org, { mail: 'email', note: { property: 'note' } }, [
    { mail: 'same@example.com', note: long },
    { mail: 'other@example.com', note: `${long}.` },
    { mail: 'edge@example.com', note: 'x'.repeat(64) },
    { mail: 'past@example.com', note: 'x'.repeat(65) },
  ]);
  expect(await preview(org, id)).toMatchObject({
    values_changed: [{ key: 'note', count: 1 }],
    people_to_update: 1,
    people_unchanged: 3,
  });
});
