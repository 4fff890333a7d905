import { expect, test } from 'vitest';
import { observe } from '../support/observe-person.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const [ann, bob, eve] = ['a', 'b', 'e'].map((letter) => `00000000-0000-4000-8000-00000000000${letter}`);
const [january, june] = ['2026-01-31T08:00:00+00:00', '2026-06-30T17:30:00+00:00'];

/** Two values of columns of people, and what a merge makes of them: when the survivor has the first, and the second. */
const columns: [column: string, one: unknown, other: unknown, ofOne: unknown, ofOther: unknown][] = [
  ['first_name', 'Ann', 'Anna', 'Ann', 'Anna'],
  ['last_name', 'Lee', 'Li', 'Lee', 'Li'],
  ['subscription_status', 'canceled', 'active', 'active', 'active'],
  // What is known of payments is told of one of the two: here whose subscription is active.
  ['payment_processor', 'processor_a', 'processor_b', 'processor_b', 'processor_b'],
  ['mrr', 1_000, 250, 250, 250],
  ['ltv', 70_000, 34, 34, 34],
  ['first_payment_date', january, june, june, june],
  ['next_payment_date', january, june, june, june],
  ['cancels_at', january, june, june, june],
  // One more is twice as engaged, which is what two alike add up to.
  ['engagement', 12, 12, 13, 13],
  ['last_opened_at', january, june, june, june],
  ['last_clicked_at', january, june, june, june],
  ['last_replied_at', january, june, june, june],
  ['health_score', 20, 90, 20, 90],
  ['health_band', 'low', 'healthy', 'low', 'healthy'],
  ['health_trend', 'rising', 'falling', 'rising', 'falling'],
  ['score_change_7d', 1.5, -2, 1.5, -2],
  ['primary_team_member', ann, bob, ann, bob],
  ['assigned_team_members', [ann, eve], [bob, eve], [ann, bob, eve], [ann, bob, eve]],
  ['created_at', january, june, january, june],
];

const valuesAt = (place: 1 | 2 | 3 | 4) => Object.fromEntries(columns.map((row) => [row[0], row[place]]));
const [one, other, ofOne, ofOther] = [valuesAt(1), valuesAt(2), valuesAt(3), valuesAt(4)];

async function twoPeople(org: TestOrg, name = 'ann') {
  const [email, anonymous_id] = [`${name}@example.com`, `visitor ${name}`];
  const survivor = await org.person({ email });
  const merged = await org.person({ anonymous_id });
  const merge = async () => expect(await org.person({ email, anonymous_id })).toBe(survivor);
  return { survivor, merged, merge };
}

async function fieldsOf(person: string): Promise<Record<string, unknown>> {
  const { rows } = await world().admin.query('select to_jsonb(p) as row from people p where id = $1', [
    person,
  ]);
  return Object.fromEntries(columns.map(([column]) => [column, rows[0].row[column]]));
}

test.each([
  ['when both have values', one, other, ofOne],
  ['when both have values, the other way round', other, one, ofOther],
  ['when only the survivor has values', one, undefined, one],
  ['when only the merged person has values', undefined, one, { ...one, created_at: june }],
] as const)('no field is lost in a merge that nobody else had, %s', async (_, mine, theirs, left) => {
  const org = await world().newOrg();
  const { survivor, merged, merge } = await twoPeople(org);
  await observe(world(), survivor, mine ?? { created_at: june });
  if (theirs !== undefined) await observe(world(), merged, theirs);
  await merge();
  expect(await fieldsOf(survivor)).toEqual(left);
});

test('IDN-021 a merge never mixes what is known of the payments of two people', async () => {
  const org = await world().newOrg();
  const identifiers = { external_user_id: 'c-1', payment_customer_id: 'cus_1', phone: '+15550100' };
  const people: string[] = [];
  for (const [type, value] of Object.entries(identifiers)) people.push(await org.person({ [type]: value }));
  const [survivor, second, third] = people as [string, string, string];
  await observe(world(), survivor, {
    mrr: 100,
    ltv: 1_000,
    first_payment_date: june,
    last_opened_at: january,
  });
  const paying = { mrr: 20, ltv: 200, first_payment_date: january, next_payment_date: june };
  await observe(world(), second, { ...paying, subscription_status: 'past_due' });
  const gone = { mrr: 3, ltv: 30, next_payment_date: january, last_opened_at: june };
  await observe(world(), third, { ...gone, subscription_status: 'canceled', cancels_at: january });
  expect(await org.person(identifiers)).toBe(survivor);
  const { body } = await org.tool('get_person', { person_id: survivor });
  const iso = (moment?: string) => new Date(moment!).toISOString();
  expect(body.person).toMatchObject({
    subscription_status: 'past_due',
    mrr: 0.2,
    ltv: 2,
    first_payment_date: iso(january),
    next_payment_date: iso(june),
    cancels_at: null,
    last_opened_at: iso(june),
  });
});

test('IDN-021 of two alike the survivor keeps its own payments, and one who has none takes the other’s', async () => {
  const org = await world().newOrg();
  const money = { mrr: 100, ltv: 1_000, subscription_status: 'active', first_payment_date: june } as const;
  const alike = await twoPeople(org, 'alike');
  await observe(world(), alike.survivor, money);
  await observe(world(), alike.merged, { ...money, mrr: 7, next_payment_date: june });
  await alike.merge();
  expect(await fieldsOf(alike.survivor)).toMatchObject({ mrr: 100, ltv: 1_000, next_payment_date: null });
  const poor = await twoPeople(org, 'poor');
  await observe(world(), poor.merged, { mrr: 7, payment_processor: 'processor_b' });
  await poor.merge();
  expect(await fieldsOf(poor.survivor)).toMatchObject({ mrr: 7, payment_processor: 'processor_b' });
});

/** The liveliest first. */
const statuses = [
  'active',
  'trialing',
  'past_due',
  'paused',
  'unpaid',
  'incomplete',
  'canceled',
  'incomplete_expired',
  'inactive',
];

test('of two subscription states the livelier stays, whoever has it', async () => {
  const org = await world().newOrg();
  const pairs = statuses
    .slice(1)
    .flatMap((status, at) => [
      [statuses[at]!, status, statuses[at]!] as const,
      [status, statuses[at]!, statuses[at]!] as const,
    ]);
  const left = await Promise.all(
    pairs.map(async ([mine, theirs]) => {
      const { survivor, merged, merge } = await twoPeople(org, `${mine}-${theirs}`);
      await observe(world(), survivor, { subscription_status: mine });
      await observe(world(), merged, { subscription_status: theirs });
      await merge();
      return [mine, theirs, (await fieldsOf(survivor))['subscription_status']];
    }),
  );
  expect(left).toEqual(pairs);
});
