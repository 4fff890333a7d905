import { afterEach, beforeAll, expect, test } from 'vitest';
import { observe, type Observed } from '../support/observe-person.ts';
import { listMembers, newSegment, refusal } from '../support/segment.ts';
import type { TestOrg } from '../support/test-org.ts';
import { spread } from '../support/spread.ts';
import { useWorld } from '../support/world.ts';
import { whoPreviews } from './who-previews.ts';

const world = useWorld();

const fields = [
  'created_at',
  'first_payment_date',
  'next_payment_date',
  'cancels_at',
  'last_opened_at',
  'last_clicked_at',
  'last_replied_at',
] as const;
const operators = ['gt', 'gte', 'lt', 'lte'];

const noon = Date.parse('2026-03-01T12:00:00.000Z');
const hour = 3_600_000;
const day = 24 * hour;

const setClock = (to: number): void => {
  world().clock.now = () => new Date(to);
};
afterEach(() => {
  world().clock.now = () => new Date();
});

let org: TestOrg;
const people: Record<string, string> = {};
beforeAll(async () => {
  org = await world().newOrg();
  for (const [name, late] of Object.entries({ before: -1, at: 0, after: 1 })) {
    const id = await org.person({ anonymous_id: name });
    const moment = new Date(noon + late).toISOString();
    await observe(world(), id, Object.fromEntries(fields.map((field) => [field, moment])) as Observed);
    people[name] = id;
  }
  const none = await org.person({ anonymous_id: 'none' });
  await observe(world(), none, { created_at: new Date(noon - day).toISOString() });
  people['none'] = none;
});

const who = (property: string, op: string, value: string): Promise<string[]> =>
  whoPreviews(org, people, [{ property, op, value }]);

/** Who lies on which side of a value. */
const sides = async (property: string, value: string): Promise<Record<string, string[]>> => ({
  gt: await who(property, 'gt', value),
  gte: await who(property, 'gte', value),
  lt: await who(property, 'lt', value),
  lte: await who(property, 'lte', value),
});

/** The sides of noon. Everybody was made at some time; of the rest, who has no date is on no side of one. */
function noonOf(property: string): Record<string, string[]> {
  const none = property === 'created_at' ? ['none'] : [];
  return { gt: ['after'], gte: ['after', 'at'], lt: ['before', ...none], lte: ['at', 'before', ...none] };
}

test.each(fields)('SEG-020 SEG-021 %s is compared in time by four operators', async (field) => {
  expect(await sides(field, '2026-03-01T12:00:00.000Z')).toEqual(noonOf(field));
  expect(await who(field, 'gt', '2026-03-01T12:00:00.001Z')).toEqual([]);
  expect(await who(field, 'lt', '2025-12-31T23:59:59Z')).toEqual([]);
  // Earlier, though later as text.
  expect(await who(field, 'gte', '2026-03-02T01:00:00+14:00')).toEqual(['after', 'at', 'before']);
});

test.each(fields)('SEG-022 SEG-048 %s refuses what is for other kinds of field', async (property) => {
  const value = '2026-03-01T12:00:00.000Z';
  for (const condition of [
    { property, op: 'eq', value },
    { property, op: 'neq', value },
    { property, op: 'contains', value: '2026' },
    { property, op: 'in', values: [value] },
    { property, op: 'is_empty' },
    { property, op: 'is_not_empty' },
  ]) {
    const { errors, sentence } = await refusal(org, [condition]);
    expect(errors).toMatchObject([{ pointer: '/filters/0/op', allowed: operators }]);
    expect(sentence).toContain(operators.join(', '));
  }
});

test.each([
  '2026-03-01T12:00:00Z',
  '2026-03-01T12:00:00.000Z',
  '2026-03-01T12:00Z',
  '2026-03-01T17:30:00+05:30',
  '2026-03-01T07:00:00.0-05:00',
])('SEG-037 the ISO 8601 timestamp %s is that moment, and reads back as sent', async (value) => {
  expect(await sides('last_opened_at', value)).toEqual(noonOf('last_opened_at'));
  const filters = [{ property: 'last_opened_at', op: 'gte', value }];
  const segment_id = await newSegment(org, filters);
  expect((await org.tool('get_segment', { segment_id })).body.segment.filters).toEqual(filters);
});

test.each([
  ['SEG-038', 'now', 0],
  ['SEG-039', 'now-7d', 7 * day],
  ['SEG-039', 'now+7d', -7 * day],
  ['SEG-039', 'now-0d', 0],
  ['SEG-039', 'now+400d', -400 * day],
  ['SEG-040', 'now-36h', 36 * hour],
  ['SEG-040', 'now+1h', -hour],
  ['SEG-040', 'now-0h', 0],
])('%s the date %s is counted from the present moment', async (_, token, away) => {
  setClock(noon + away);
  expect(await sides('created_at', token)).toEqual(noonOf('created_at'));
  expect(await sides('next_payment_date', token)).toEqual(noonOf('next_payment_date'));
});

test('SEG-037 SEG-039 SEG-040 the furthest dates are before or after everybody', async () => {
  const everybody = Object.keys(people).toSorted();
  for (const value of ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+23:59', 'now-999999d', 'now-999999h']) {
    expect(await who('created_at', 'gt', value)).toEqual(everybody);
    expect(await who('created_at', 'lt', value)).toEqual([]);
  }
  for (const value of ['9999-12-31T23:59:59.999999999Z', '9999-12-31T23:59:59-23:59', 'now+999999d']) {
    expect(await who('created_at', 'gt', value)).toEqual([]);
    expect(await who('created_at', 'lt', value)).toEqual(everybody);
  }
});

const notRelative =
  'now-1w|now-1.5d|now-1m|now-d|now-1|now1d|now--1d|now-+1d|now - 1d|now-1e2d|now-١d|now-1d-1h|Now|NOW-1d|now-1D|' +
  'now | now|now\n|now-1d\n|nowhere|yesterday|today|tomorrow|infinity|-infinity|epoch|';
const notTimestamps =
  '2026-02-30|0050-01-01|2026-03-01T12|2026-02-30T12:00:00Z|2026-03-01T25:00:00Z|2026-03-01 12:00:00Z|03/01/2026|' +
  'Sun, 01 Mar 2026 12:00:00 GMT|2026-03-01T12:00:00 UTC|1772366400000';
const notTexts = [1_772_366_400, 0, true, null, ['now'], { now: true }, undefined];

test('SEG-041 SEG-049 any other date is refused, naming what can be sent', async () => {
  const allowed = ['now', 'now-Nd', 'now+Nd', 'now-Nh', 'now+Nh'];
  const wrong = [...spread(notRelative.split('|'), 10), ...spread(notTimestamps.split('|'), 5), ...notTexts];
  for (const value of wrong) {
    const { errors, sentence } = await refusal(org, [{ property: 'created_at', op: 'gt', value }]);
    expect(errors).toMatchObject([{ pointer: '/filters/0/value' }]);
    expect(errors[0]!.allowed).toEqual([expect.stringContaining('ISO 8601'), ...allowed]);
    for (const choice of ['ISO 8601', ...allowed]) expect(sentence).toContain(choice);
  }
});

test('SEG-042 a relative date is resolved at every read and reads back as it was sent', async () => {
  const longAgo = noon - 1000 * day;
  setClock(longAgo);
  const filters = [
    { property: 'last_opened_at', op: 'gte', value: 'now-30d' },
    { property: 'next_payment_date', op: 'lte', value: 'now+12h' },
  ];
  const segment_id = await newSegment(org, filters);
  const { segment: made } = (await org.tool('get_segment', { segment_id })).body;
  expect(made.filters).toEqual(filters);
  const { at, after, before } = people;
  for (const [moment, members] of [
    [noon - 12 * hour - 2, []],
    [noon - 12 * hour, [at, before]],
    [noon, [after, at, before]],
    [noon + 30 * day, [after, at]],
    [noon + 30 * day + 2, []],
    [noon + 7 * day, [after, at, before]],
  ] as const) {
    setClock(moment);
    expect(new Set(await listMembers(org, segment_id))).toEqual(new Set<string | undefined>(members));
    const { body } = await org.rest(`GET /v1/segments/${segment_id}/members`);
    expect(body.total).toBe(members.length);
    expect((await org.rest(`GET /v1/segments/${segment_id}`)).body.segment).toEqual(made);
  }
  const { rows } = await world().admin.query('select filters from segments where id = $1', [segment_id]);
  expect(rows).toEqual([{ filters }]);
});
