import { afterEach, beforeAll, expect, test } from 'vitest';
import { newDraft } from '../support/broadcast.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { refusedBoth, type Fields } from '../broadcasts/draft/draft-ways.ts';
import { newConfig, setProperty } from '../broadcasts/plan/plan-support.ts';
import { reads, rendered, setColumns, withVariable } from './variable-setting.ts';

const world = useWorld();

let org: TestOrg;
let person: string;

const everyone = { audience: 'everyone' };
const paysNext = '2027-03-13T23:30:00.000Z';

beforeAll(async () => {
  org = await world().newOrg();
  person = await org.person({ email: 'ada@example.com' });
  for (const key of ['born', 'tier']) await newConfig(org, key);
  await newConfig(org, 'seats', 'number');
  await setColumns(world(), person, { next_payment_date: paysNext });
});
afterEach(async () => {
  await org.rest('PATCH /v1/settings', { timezone: 'UTC' });
});

const setZone = async (timezone: string): Promise<void> => {
  expect((await org.rest('PATCH /v1/settings', { timezone })).status).toBe(200);
};
const payment = (more: Fields) => reads('next_payment_date', more);

test('VAR-009 without a date_format a date is not formatted', async () => {
  expect(await rendered(org, person, payment({}))).toBe(paysNext);
  await setProperty(org, person, 'born', '1815-12-10');
  expect(await rendered(org, person, reads('custom_properties.born'))).toBe('1815-12-10');
  expect(await rendered(org, person, reads('custom_properties.born', { date_format: null }))).toBe(
    '1815-12-10',
  );
});

test.each([
  ['yyyy-MM-dd', '2027-03-13'],
  ['MMMM d, yyyy', 'March 13, 2027'],
  ["EEEE 'at' HH:mm", 'Saturday at 23:30'],
  ["h:mm a, do 'of' MMM", '11:30 PM, 13th of Mar'],
  ['P', '03/13/2027'],
])('VAR-010 by the pattern %s the date is %s', async (date_format, text) => {
  expect(await rendered(org, person, payment({ date_format }))).toBe(text);
  expect(await rendered(org, person, payment({ date_format, template: 'on {{var}}.' }))).toBe(`on ${text}.`);
});

test('VAR-010 the date is that of the organization’s zone', async () => {
  const at = payment({ date_format: 'yyyy-MM-dd HH:mm' });
  for (const [zone, text] of [
    ['America/New_York', '2027-03-13 18:30'],
    ['Asia/Tokyo', '2027-03-14 08:30'],
    ['Australia/Adelaide', '2027-03-14 10:00'],
    ['UTC', '2027-03-13 23:30'],
  ] as const) {
    await setZone(zone);
    expect([zone, await rendered(org, person, at)]).toEqual([zone, text]);
  }
});

test('VAR-010 a text property that holds an ISO 8601 date is formatted, one without a zone as it stands', async () => {
  await setZone('Asia/Tokyo');
  const born = reads('custom_properties.born', { date_format: 'd MMM yyyy HH:mm', fallback: 'unknown' });
  for (const [value, text] of [
    ['1815-12-10', '10 Dec 1815 00:00'],
    ['2027-01-01T22:00:00Z', '2 Jan 2027 07:00'],
    ['2027-01-01T22:00:00-05:00', '2 Jan 2027 12:00'],
    ['2027-01-01T22:00', '1 Jan 2027 22:00'],
    ['soon', 'unknown'],
    ['2027-02-30', 'unknown'],
  ] as const) {
    await setProperty(org, person, 'born', value);
    expect([value, await rendered(org, person, born)]).toEqual([value, text]);
  }
});

test.each(['YYYY-MM-DD', 'nonsense', '', ' ', 'yyyy-MM-dd {{var}}', 'relative', 'relative-long'])(
  'VAR-010 the date_format %j is refused',
  async (date_format) => {
    const { id } = await newDraft(org, everyone);
    const sent = withVariable(everyone, payment({ date_format }));
    const errors = await refusedBoth(world(), org, sent, id, sent);
    const allowed = [expect.stringContaining('date-fns'), 'relative-short', 'relative-today'];
    expect(errors).toMatchObject([
      { pointer: '/variables/var_x/date_format', code: 'invalid_date_format', allowed },
    ]);
  },
);

test.each(['first_name', 'mrr', 'primary_email', 'custom_properties.seats'])(
  'VAR-010 a date_format on %s, which is no date, is refused',
  async (field) => {
    const { id } = await newDraft(org, everyone);
    const sent = withVariable(everyone, reads(field, { date_format: 'yyyy' }));
    const errors = await refusedBoth(world(), org, sent, id, sent);
    expect(errors).toMatchObject([{ pointer: '/variables/var_x/date_format', code: 'not_a_date' }]);
  },
);
