import { expect, test } from 'vitest';
import { rowChecker } from '../../src/domain/imports/mapping/check-row.ts';
import { takeFields } from '../../src/domain/people/identify/sent-person.ts';
import { append, mapped, stagedOf } from '../support/import.ts';
import { useWorld } from '../support/world.ts';
import { mappingOf, readAs } from './checking.ts';

const world = useWorld();

test.each([
  ['email', ' Ana@Example.COM ', 'ana@example.com'],
  ['alternate_email', 'B@example.com', 'b@example.com'],
  ['email', 'ana', 'rejected: not_an_email'],
  ['email', 'a b@example.com', 'rejected: not_an_email'],
  ['email', `${'a'.repeat(320)}@example.com`, 'rejected: not_an_email'],
  ['email', 42, 'rejected: not_an_email'],
  ['email', true, 'rejected: not_an_email'],
  ['phone', ' +1 (555) 010-0000 ', '+1 (555) 010-0000'],
  ['alternate_phone', 15550100000, '15550100000'],
  ['external_user_id', 42, '42'],
  ['external_user_id', -0.5, '-0.5'],
  ['external_user_id', ' a b ', 'a b'],
  ['external_user_id', 'x'.repeat(512), 'x'.repeat(512)],
  ['external_user_id', 'x'.repeat(513), 'rejected: not_an_identifier'],
  ['external_user_id', 2 ** 53, 'rejected: not_an_identifier'],
  ['external_user_id', Infinity, 'rejected: not_an_identifier'],
  ['external_user_id', false, 'rejected: not_an_identifier'],
  ['payment_customer_id', 'cus_1', 'cus_1'],
  ['anonymous_id', 'CaseStays', 'CaseStays'],
  ['first_name', ' Ana ', 'Ana'],
  ['last_name', 'n'.repeat(200), 'n'.repeat(200)],
  ['last_name', 'n'.repeat(201), 'rejected: not_a_name'],
  ['first_name', true, 'rejected: not_a_name'],
  ['string', ' as it is ', ' as it is '],
  ['string', 4.5, '4.5'],
  ['string', false, 'false'],
  ['string', 's'.repeat(8_192), 's'.repeat(8_192)],
  ['string', 's'.repeat(8_193), 'rejected: too_long'],
  ['number', ' 12.50 ', 12.5],
  ['number', '-1e3', -1000],
  ['number', 0, 0],
  ['number', '1,000', 'rejected: not_a_number'],
  ['number', '12 seats', 'rejected: not_a_number'],
  ['number', '1e999', 'rejected: not_a_number'],
  ['number', true, 'rejected: not_a_number'],
  ['boolean', 'TRUE', true],
  ['boolean', 0, false],
  ['boolean', false, false],
  ['boolean', 'yes', 'rejected: not_a_boolean'],
  ['boolean', 2, 'rejected: not_a_boolean'],
])('IMP-050 a cell of %s with %j is read or rejected', (target, cell, expected) => {
  expect(readAs(target, cell)).toEqual(expected);
});

test.each(['email', 'phone', 'external_user_id', 'first_name', 'string', 'number', 'boolean'])(
  'IMP-051 a blank cell of %s says nothing',
  (target) => {
    for (const blank of ['', ' ', '\t\r\n\u00A0\uFEFF', null, undefined])
      expect(readAs(target, blank)).toBeNull();
  },
);

test.each([
  ['an object', {}],
  ['a list', ['a']],
  ['a nested one', { a: { b: 1 } }],
])('IMP-050 %s is no cell, not even of a skipped column', (_, cell) => {
  for (const target of ['email', 'number', 'skip']) expect(readAs(target, cell)).toBe('rejected: not_a_cell');
});

test('IMP-050 the first column that does not fit decides, in the order of the columns', () => {
  const columns = ['number', 'email', 'external_user_id'];
  const row = { external_user_id: true, email: 'x', number: 'x' };
  expect(rowChecker(columns, mappingOf(columns))(row, 1)).toMatchObject({ code: 'not_a_number' });
  const turned = columns.toReversed();
  expect(rowChecker(turned, mappingOf(turned))(row, 1)).toMatchObject({ code: 'not_an_identifier' });
});

test('IMP-038 IMP-051 skipped columns are not staged; blank and missing cells are staged as nothing', async () => {
  const org = await world().newOrg();
  const import_id = await mapped(org, {
    Id: 'external_user_id',
    First: 'first_name',
    Out: 'subscribed_to_emails',
    Tier: { new_property: { key: 'tier', name: 'Tier', type: 'string' } },
    Secret: 'skip',
  });
  const rows = [
    { Id: 'a', First: ' ', Out: '', Tier: '\t', Secret: 'left out' },
    { Id: 'b' },
    { Id: 'c', First: 'Ana', Out: 'no', Tier: 'gold' },
  ];
  await append(org, import_id, rows);
  const called = (id: string) => [id, null, null, null, null, null, null];
  const nothing = { fields: takeFields({}), optsOut: false, values: [null] };
  expect((await stagedOf(world(), import_id)).rows).toEqual([
    { row: 1, called: called('a'), ...nothing },
    { row: 2, called: called('b'), ...nothing },
    {
      row: 3,
      called: called('c'),
      fields: takeFields({ first_name: 'Ana' }),
      optsOut: true,
      values: ['gold'],
    },
  ]);
  const { rows: kept } = await world().admin.query(
    'select rows::text from import_parts where import_id = $1',
    [import_id],
  );
  expect(kept[0].rows).not.toContain('left out');
});
