import { afterEach, beforeAll, expect, test } from 'vitest';
import { newDraft, newWebinar, plan } from '../support/broadcast.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { previewFor, type Fields } from '../broadcasts/draft/draft-ways.ts';
import { inBrackets, reads, readsWebinar, rendered, setColumns, withVariable } from './variable-setting.ts';

const world = useWorld();

let org: TestOrg;
let person: string;

const everyone = { audience: 'everyone' };
const now = '2027-03-10T12:00:00.000Z';
const paysNext = '2027-03-13T23:30:00.000Z';

beforeAll(async () => {
  org = await world().newOrg();
  person = await org.person({ email: 'ada@example.com' });
  await setColumns(world(), person, { next_payment_date: paysNext });
});
afterEach(async () => {
  world().clock.now = () => new Date();
  await org.rest('PATCH /v1/settings', { timezone: 'UTC' });
});

const standStill = (at: string): void => {
  world().clock.now = () => new Date(at);
};
const payment = (more: Fields) => reads('next_payment_date', more);

const distances: [at: string, short: string, today: string][] = [
  ['2027-03-10T12:00:00Z', 'now', 'today at 12:00 UTC'],
  ['2027-03-10T12:45:00Z', 'in 45m', 'today at 12:45 UTC'],
  ['2027-03-10T09:00:00Z', '3h ago', 'today at 09:00 UTC'],
  ['2027-03-11T08:00:00Z', 'in 20h', 'tomorrow at 08:00 UTC'],
  ['2027-03-09T23:59:00Z', '12h ago', 'yesterday at 23:59 UTC'],
  ['2027-03-13T23:30:00Z', 'in 3d', 'Saturday at 23:30 UTC'],
  ['2027-03-06T10:00:00Z', '4d ago', 'last Saturday at 10:00 UTC'],
  ['2027-03-30T12:00:00Z', 'in 2w', 'Mar 30'],
  ['2029-03-10T12:00:00Z', 'in 2y', 'Mar 10, 2029'],
];

test.each(distances)('VAR-011 VAR-012 on 10 March at noon, %s is %s and %s', async (at, short, today) => {
  standStill(now);
  await setColumns(world(), person, { cancels_at: at });
  expect(await rendered(org, person, reads('cancels_at', { date_format: 'relative-short' }))).toBe(short);
  expect(await rendered(org, person, reads('cancels_at', { date_format: 'relative-today' }))).toBe(today);
});

test('VAR-011 VAR-012 a plan renders them as they will be when it goes out', async () => {
  standStill(now);
  for (const [date_format, atNoon, dayLater] of [
    ['relative-short', 'in 3d', 'in 2d'],
    ['relative-today', 'Saturday at 23:30 UTC', 'Saturday at 23:30 UTC'],
  ] as const) {
    const { id } = await newDraft(org, withVariable(everyone, payment({ date_format })));
    expect(inBrackets((await previewFor(org, id, person)).text)).toBe(atNoon);
    const planned = await plan(org, id, '2027-03-11T12:00:00Z');
    expect(planned.preview.body).toBe(`[${dayLater}]`);
    const onTheDay = await plan(org, id, '2027-03-13T20:00:00Z');
    expect(onTheDay.preview.body).toBe(date_format === 'relative-short' ? '[in 3h]' : '[today at 23:30 UTC]');
  }
});

test('VAR-012 today is a day of the organization’s zone', async () => {
  standStill('2027-03-13T20:00:00Z');
  const relative = payment({ date_format: 'relative-today' });
  expect(await rendered(org, person, relative)).toBe('today at 23:30 UTC');
  await org.rest('PATCH /v1/settings', { timezone: 'Europe/Athens' });
  expect(await rendered(org, person, relative)).toBe('tomorrow at 01:30 EET');
});

test('VAR-011 VAR-012 a test organization’s own clock tells what is near', async () => {
  const own = await world().newOrg();
  const who = await own.person({ email: 'ada@example.com' });
  standStill(now);
  await setColumns(world(), who, { next_payment_date: paysNext });
  const { id } = await newDraft(own, withVariable(everyone, payment({ date_format: 'relative-short' })));
  expect(inBrackets((await previewFor(own, id, who)).text)).toBe('in 3d');
  expect((await own.rest('POST /v1/test-clock', { advance: 2 * 86_400 })).status).toBe(200);
  expect(inBrackets((await previewFor(own, id, who)).text)).toBe('in 1d');
});

test('VAR-011 VAR-012 before a webinar, its start is told from when the broadcast goes out', async () => {
  standStill(now);
  const webinar_id = await newWebinar(world(), org, {
    start_time: '2027-03-12T18:00:00Z',
    timezone: 'Asia/Tokyo',
  });
  const timed = { audience: 'webinar', webinar_id, webinar_offset_minutes: 90 };
  const start = (date_format: string) =>
    rendered(org, person, readsWebinar('webinar_start_time', { date_format }), timed);
  expect(await start('relative-short')).toBe('in 1h');
  expect(await start('relative-today')).toBe('today at 03:00 JST');
});
