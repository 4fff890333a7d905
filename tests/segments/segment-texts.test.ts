import { beforeAll, expect, test } from 'vitest';
import { refusal, whoMatches } from '../support/segment.ts';
import type { TestOrg } from '../support/test-org.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import { addNamed } from './add-named.ts';
import { whoPreviews } from './who-previews.ts';

const world = useWorld();

const operators = ['eq', 'neq', 'contains', 'in', 'is_empty', 'is_not_empty'];

/** A field, what identify makes of two people, and what the field then reads. */
const fields = [
  ['first_name', { first_name: 'Ada Maria' }, { first_name: 'Grace' }, 'Ada Maria', 'Grace'],
  ['last_name', { last_name: "O'Hara" }, { last_name: 'Hopper' }, "O'Hara", 'Hopper'],
  ['primary_email', { email: 'ada@one.org' }, { email: 'g@two.org' }, 'ada@one.org', 'g@two.org'],
  ['primary_phone', { phone: '+15550001' }, { phone: '+15550002' }, '+15550001', '+15550002'],
  ['primary_contact_method', { email: 'ada@one.org' }, { phone: '+15550002' }, 'email', 'phone'],
  ['org_assigned_user_id', { external_user_id: 'CRM-1' }, { external_user_id: 'X-20' }, 'CRM-1', 'X-20'],
] as const;

test.each(fields)('SEG-023 SEG-024 %s takes the six operators of texts', async (property, ...given) => {
  const [ofAda, ofGrace, adas, graces] = given;
  const org = await world().newOrg();
  const people = {
    ada: await org.person({ anonymous_id: 'ada', ...ofAda }),
    grace: await org.person({ anonymous_id: 'grace', ...ofGrace }),
    none: await org.person({ anonymous_id: 'none' }),
  };
  const asked = isLong || property === 'first_name' ? whoMatches : whoPreviews;
  const who = (condition: object) => asked(org, people, [{ property, ...condition }]);
  const previewed = (condition: object) => whoPreviews(org, people, [{ property, ...condition }]);
  expect(await who({ op: 'eq', value: adas })).toEqual(['ada']);
  expect(await who({ op: 'neq', value: adas })).toEqual(['grace', 'none']);
  expect(await who({ op: 'in', values: [adas] })).toEqual(['ada']);
  expect(await who({ op: 'in', values: [graces, 'other', adas, adas] })).toEqual(['ada', 'grace']);
  expect(await who({ op: 'is_empty' })).toEqual(['none']);
  expect(await who({ op: 'is_not_empty' })).toEqual(['ada', 'grace']);
  for (const part of [adas, adas.slice(1), adas.slice(0, -1), adas.slice(1, -1).toUpperCase()]) {
    const both = graces.toLowerCase().includes(part.toLowerCase());
    expect(await previewed({ op: 'contains', value: part })).toEqual(both ? ['ada', 'grace'] : ['ada']);
  }
  // What is no more than a part, or more than the whole.
  for (const other of [adas.slice(0, -1), adas.slice(1), `${adas}x`, '%', '']) {
    expect(await previewed({ op: 'eq', value: other })).toEqual([]);
    expect(await previewed({ op: 'in', values: [other] })).toEqual([]);
    expect(await previewed({ op: 'neq', value: other })).toEqual(['ada', 'grace', 'none']);
  }
});

let org: TestOrg;
beforeAll(async () => {
  org = await world().newOrg();
});

test.each(fields)('SEG-025 SEG-048 %s refuses what is for numbers and dates', async (property) => {
  for (const op of ['gt', 'gte', 'lt', 'lte']) {
    const { errors, sentence } = await refusal(org, [{ property, op, value: 'a' }]);
    expect(errors).toMatchObject([{ pointer: '/filters/0/op', allowed: operators }]);
    expect(sentence).toContain(operators.join(', '));
  }
});

const noTexts = [5, 0, true, false, null, { text: 'Ada' }, ['Ada'], undefined];
const wrong = ['eq', 'neq', 'contains'].flatMap((op) => noTexts.map((value) => ({ op, value })));

test.each(fields)('SEG-026 SEG-049 %s takes a string and no other value', async (property) => {
  // In the gate each of them with one of the fields.
  const mine = fields.findIndex(([field]) => field === property);
  for (const { op, value } of wrong.filter((_, at) => isLong || at % fields.length === mine)) {
    const { errors, sentence } = await refusal(org, [{ property, op, value }]);
    expect(errors).toMatchObject([{ pointer: '/filters/0/value', allowed: ['string'] }]);
    expect(sentence).toContain('Must be a text');
  }
});

test('SEG-024 eq, neq and in tell capitals apart, but for the primary email', async () => {
  const org = await world().newOrg();
  const ada = await org.person({ email: 'Ada@Example.com', first_name: 'Ada', external_user_id: 'CRM-1' });
  const people = { ada, none: await org.person({ anonymous_id: 'none' }) };
  const who = (condition: object) => whoPreviews(org, people, [{ ...condition }]);
  for (const [property, value] of [
    ['first_name', 'ADA'],
    ['org_assigned_user_id', 'crm-1'],
  ]) {
    expect(await who({ property, op: 'eq', value })).toEqual([]);
    expect(await who({ property, op: 'in', values: [value] })).toEqual([]);
    expect(await who({ property, op: 'neq', value })).toEqual(['ada', 'none']);
  }
  // As list_people compares an address.
  for (const value of ['ada@example.com', 'ADA@EXAMPLE.COM', ' Ada@Example.com\n']) {
    expect(await who({ property: 'primary_email', op: 'eq', value })).toEqual(['ada']);
    expect(await who({ property: 'primary_email', op: 'in', values: ['b@c.d', value] })).toEqual(['ada']);
    expect(await who({ property: 'primary_email', op: 'neq', value })).toEqual(['none']);
  }
  expect(await who({ property: 'primary_email', op: 'contains', value: ' ' })).toEqual([]);
});

test.each([
  ['Ada Maria', ['ada', 'DA M', 'maria', ' ', 'aDa MaRiA'], ['adamaria', 'ada  maria', 'Ada Maria ', 'b']],
  ['Émilie', ['é', 'ÉMIL', 'LIE', 'émilie'], ['emilie', 'EM', 'È']],
  ['ÇAĞLA', ['çağla', 'Ç', 'ğ'], ['c', 'cagla']],
  ['Яна', ['я', 'ЯНА', 'НА', 'яна'], ['R', 'на ']],
  ['ΟΔΥΣΣΕΎΣ', ['οδυσσεύς', 'Οδυσσεύς', 'σσ', 'ς', 'Σ', 'σ', 'ΣΣΕ'], ['ο δ', 'σσσ']],
  ['Σωκράτης', ['ΣΩΚΡΆΤΗΣ', 'σωκράτησ', 'ης', 'ησ', 'ΗΣ', 'ς'], ['ΣΣ', 'ςς']],
  ['Straße', ['STRAẞE', 'ß', 'ẞ', 'straße'], ['ßß']],
  ['李小龍', ['小', '李小龍'], ['龍李']],
  ['𐐀𐐁🙂', ['𐐨', '𐐩🙂', '🙂'], ['🙃']],
])('SEG-043 what %s contains is found without regard to case', async (name, parts, others) => {
  const org = await world().newOrg();
  await org.rest('POST /v1/property-configs', { key: 'alias', name: 'Alias', type: 'string' });
  const people = await addNamed(world().admin, org, [name, 'Quux', null]);
  const asked = [
    ...parts.map((part) => [part, name]),
    ...others.map((other) => [other]), // nobody
  ];
  for (const [which, on] of [{ property: 'first_name' }, { custom_property_key: 'alias' }].entries()) {
    // In the gate half of them of the field, half of the property.
    for (const [value, ...found] of asked.filter((_, at) => isLong || at % 2 === which)) {
      const containing = await whoPreviews(org, people, [{ ...on, op: 'contains', value }]);
      expect([value, ...containing]).toEqual([value, ...found]);
    }
  }
});

test('SEG-044 the wildcards of databases stand for themselves in what is contained', async () => {
  const org = await world().newOrg();
  await org.rest('POST /v1/property-configs', { key: 'note', name: 'Note', type: 'string' });
  const names = ['100%', '100x', 'a_b', 'axb', 'a\\b', 'a\\%b', 'a*b?', '[a-z]', 'É%_'];
  const people = await addNamed(world().admin, org, names);
  for (const on of [{ property: 'first_name' }, { custom_property_key: 'note' }]) {
    for (const [value, names] of [
      ['%', ['100%', 'a\\%b', 'É%_']],
      ['_', ['a_b', 'É%_']],
      ['0%', ['100%']],
      ['a%b', []],
      ['a_b', ['a_b']],
      ['__', []],
      ['%_', ['É%_']],
      ['é%', ['É%_']],
      ['É_', []],
      ['\\', ['a\\b', 'a\\%b']],
      ['\\%', ['a\\%b']],
      ['\\_', []],
      ['\\\\', []],
      ['*', ['a*b?']],
      ['[a-z]', ['[a-z]']],
    ] as const) {
      const found = await whoPreviews(org, people, [{ ...on, op: 'contains', value }]);
      expect([value, ...found]).toEqual([value, ...names.toSorted((a, b) => (a < b ? -1 : 1))]);
    }
  }
});

test('an empty text to be contained is refused, since everybody with a value would match', async () => {
  const org = await world().newOrg();
  const { errors, sentence } = await refusal(org, [{ property: 'first_name', op: 'contains', value: '' }]);
  expect(errors).toMatchObject([{ pointer: '/filters/0/value', code: 'too_short' }]);
  expect(sentence).toContain('is_not_empty');
});
