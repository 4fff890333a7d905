import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { asService } from '../../src/domain/orgs/as-service.ts';
import { addEngagement, engagementWeights, type Engaged } from '../../src/domain/people/record/engagement.ts';
import { engagementScore, leastEngagement } from '../../src/domain/filters/engagement-score.ts';
import { Random } from '../segments/random.ts';
import { scoreAt, unroundedScore } from '../support/engagement.ts';
import type { TestOrg } from '../support/test-org.ts';
import { isLong, seed, tries, triesOfService, volume } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import { newPeople, partsOf } from './sent-broadcast.ts';

const plenty = '1000000000';
const world = useWorld({ env: { RATE_READ_PER_MINUTE: plenty, RATE_HEAVY_PER_MINUTE: plenty } });
const day = 86_400_000;
const now = new Date('2026-03-14T15:09:26.535Z');

let org: TestOrg;
beforeAll(async () => {
  world().clock.now = () => now;
  org = await world().newOrg();
});

const add = (engaged: readonly Engaged[]): Promise<unknown> => {
  const asked = { org: org.id, now, actor: 'test', requestId: 'test' };
  return asService(world().database, partsOf(world()), asked, (work) => addEngagement(work, engaged));
};

const stored = async (person: string): Promise<number | null> =>
  (await world().admin.query('select engagement from people where id = $1', [person])).rows[0].engagement;

const rawAt = (engagement: number, at: Date): number => 2 ** (engagement - at.getTime() / (30 * day));

test('whatever was done, when and in which order, the score is that of the formula', async () => {
  const [person = ''] = await newPeople(org, 1);
  const done = fc.record({
    weight: fc.constantFrom(...Object.values(engagementWeights)),
    days: fc.double({ min: 0, max: 400, noNaN: true }),
  });
  const batches = fc.array(fc.array(done, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(batches, fc.double({ min: 0, max: 200, noNaN: true }), async (sets, later) => {
      await world().admin.query('update people set engagement = null where id = $1', [person]);
      for (const set of sets) {
        await add(
          set.map(({ weight, days }) => ({
            person_id: person,
            weight,
            at: new Date(now.getTime() - Math.round(days * day)),
          })),
        );
      }
      const at = new Date(now.getTime() + Math.round(later * day));
      const age = (days: number): number => (at.getTime() - (now.getTime() - Math.round(days * day))) / day;
      const raw = sets.flat().reduce((sum, { weight, days }) => sum + weight * 2 ** (-age(days) / 30), 0);
      const engagement = (await stored(person))!;
      expect(rawAt(engagement, at) / raw).toBeCloseTo(1, 9);
      const exact = unroundedScore(raw);
      fc.pre(Math.abs((exact % 1) - 0.5) > 1e-6);
      expect(engagementScore(engagement, at)).toBe(Math.round(exact));
    }),
    triesOfService(200),
  );
});

test('one opening is 8, one click 29, one answer 50, and half of what they stand for a month later', async () => {
  const people = await newPeople(org, 3);
  await add(people.map((person_id, index) => ({ person_id, weight: [1, 4, 8][index]!, at: now })));
  const scores = async (at: Date): Promise<(number | null)[]> => {
    const found: (number | null)[] = [];
    for (const person of people) found.push(engagementScore(await stored(person), at));
    return found;
  };
  expect(await scores(now)).toEqual([8, 29, 50]);
  const later = new Date(now.getTime() + 30 * day);
  expect(await scores(later)).toEqual([0.5, 2, 4].map((raw) => Math.round(unroundedScore(raw))));
  const muchLater = new Date(now.getTime() + 3_000 * day);
  expect(await scores(muchLater)).toEqual([0, 0, 0]);
  const { body } = await org.rest(`GET /v1/people/${people[1]}`);
  expect(body.person.email_engagement_score).toBe(29);
});

test('things decades apart are added without a fault, and people who are gone are left out', async () => {
  const [person = ''] = await newPeople(org, 1);
  const old = new Date('1971-01-01T00:00:00Z');
  await add([
    { person_id: person, weight: 8, at: old },
    { person_id: '00000000-0000-4000-8000-000000000000', weight: 8, at: now },
  ]);
  await add([{ person_id: person, weight: 1, at: new Date('2126-01-01T00:00:00Z') }]);
  await add([{ person_id: person, weight: 1, at: old }]);
  expect(rawAt((await stored(person))!, new Date('2126-01-01T00:00:00Z'))).toBeCloseTo(1, 9);
});

test('a merge adds up what both did, and leaves alone what only one did', async () => {
  const merge = async (one: number, other: number): Promise<number | null> => {
    const [email, phone] = [`m${one}-${other}@example.com`, `+1555030${one}${other}`];
    const kept = await org.person({ email });
    const folded = await org.person({ phone });
    const engaged = [
      { person_id: kept, weight: one, at: now },
      { person_id: folded, weight: other, at: new Date(now.getTime() - 30 * day) },
    ];
    await add(engaged.filter(({ weight }) => weight > 0));
    await org.rest('POST /v1/people/identify', { email, phone });
    return stored(kept);
  };
  expect(rawAt((await merge(4, 8))!, now)).toBeCloseTo(8, 9);
  expect(rawAt((await merge(4, 0))!, now)).toBeCloseTo(4, 9);
  expect(rawAt((await merge(0, 8))!, now)).toBeCloseTo(4, 9);
  expect(await merge(0, 0)).toBeNull();
});

test('the score by bounds is the rounded formula at every engagement but the last binary digits of a bound', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -80, max: 12, noNaN: true }),
      fc.integer({ min: 0, max: 4e12 }),
      (log, time) => {
        const at = new Date(time);
        const engagement = log + time / (30 * day);
        const exact = unroundedScore(rawAt(engagement, at));
        fc.pre(Math.abs((exact % 1) - 0.5) > 1e-8);
        expect(engagementScore(engagement, at)).toBe(scoreAt(engagement, at));
      },
    ),
    tries(50_000),
  );
  expect(engagementScore(null, now)).toBeNull();
});

/** The doubles right beside a number. */
function beside(number: number): [number, number] {
  const bits = new BigInt64Array(new Float64Array([number]).buffer);
  const at = (step: bigint): number => new Float64Array(new BigInt64Array([bits[0]! + step]).buffer)[0]!;
  return [at(-1n), at(1n)];
}

test('a filter and the record agree about everybody at every moment, also at the very edge of a score', async () => {
  const place = await world().newOrg();
  const moments = (isLong ? [0, 1, 43_200_000, 7 * day + 12_345, 60 * day] : [0, 7 * day + 12_345]).map(
    (away) => new Date(now.getTime() + away),
  );
  const chance = new Random(seed);
  const random = Array.from(
    { length: volume(40, 12) },
    () => chance.next() * 12 - 6 + now.getTime() / (30 * day),
  );
  const edges = [1, 2, 29, 50, 99, 100].flatMap((score) =>
    moments.flatMap((at) => {
      const edge = leastEngagement(score, at);
      return [edge, ...beside(edge)];
    }),
  );
  const engagements = [null, ...random, ...edges];
  const { rows } = await world().admin.query<{ id: string }>(
    `insert into people (org_id, id, first_name, engagement, created_at, updated_at)
     select $1, gen_random_uuid(), 'somebody', e, now(), now() from unnest($2::float8[]) e returning id`,
    [place.id, engagements],
  );
  for (const at of moments) {
    world().clock.now = () => at;
    const scores = new Map<string, number | null>();
    for (const { id } of rows) {
      const { body } = await place.rest(`GET /v1/people/${id}`);
      scores.set(id, body.person.email_engagement_score);
    }
    for (const value of [-1, 0, 0.5, 1, 2, 28.5, 29, 50, 99, 100, 101]) {
      for (const [op, holds] of Object.entries({
        eq: (score: number | null) => score === value,
        neq: (score: number | null) => score !== value,
        gt: (score: number | null) => score !== null && score > value,
        gte: (score: number | null) => score !== null && score >= value,
        lt: (score: number | null) => score !== null && score < value,
        lte: (score: number | null) => score !== null && score <= value,
      })) {
        const filters = [{ property: 'email_engagement_score', op, value }];
        const { body } = await place.rest('POST /v1/segments/preview', { filters });
        const expected = [...scores.values()].filter(holds).length;
        expect([at, op, value, body.count]).toEqual([at, op, value, expected]);
      }
    }
  }
  world().clock.now = () => now;
}, 300_000);
