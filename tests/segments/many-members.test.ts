import { beforeAll, expect, test } from 'vitest';
import { engagementOf } from '../support/engagement.ts';
import { newSegment, type Sent } from '../support/segment.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const plenty = '1000000000';
const world = useWorld({ env: { RATE_READ_PER_MINUTE: plenty, RATE_HEAVY_PER_MINUTE: plenty } });

interface Made {
  readonly id: string;
  readonly n: number;
}

const everybody = 9_000;
let org: TestOrg;
let people: Made[] = [];

/**
 * More people than a page of members is sorted from, so that every way to a page is taken. n tells all about them; the
 * smaller it is, the newer they are, and seven at a time are of one moment. The newest 700 have neither score nor value.
 */
beforeAll(async () => {
  org = await world().newOrg();
  for (const [key, type] of [
    ['seats', 'number'],
    ['tier', 'string'],
  ]) {
    await org.tool('create_property_config', { key, name: key, type });
  }
  const now = world().clock.now();
  const engagements = Array.from({ length: 10 }, (_, score) => engagementOf(score, now));
  const { rows } = await world().admin.query<Made>(
    `with made as (
       insert into people (org_id, id, first_name, engagement, created_at, updated_at)
       select $1, gen_random_uuid(), 'n' || n, case when n > 700 then ($3::float8[])[1 + n % 10] end,
         timestamptz '2026-03-01' - make_interval(mins => n / 7), now()
       from generate_series(1, $2::int) n returning id, substr(first_name, 2)::int as n, created_at),
     valued as (
       insert into property_values (org_id, person_id, config_id, text_value, number_value, changed_by, created_at)
       select $1, m.id, c.id, case c.key when 'tier' then (array['free', 'pro'])[1 + m.n % 2] end,
         case c.key when 'seats' then m.n % 100 end, gen_random_uuid(), now()
       from made m join property_configs c on c.org_id = $1 where m.n > 700)
     select id, n from made order by created_at desc, id desc`,
    [org.id, everybody, engagements],
  );
  people = rows;
});

const score = ({ n }: Made): number | undefined => (n > 700 ? n % 10 : undefined);
const seats = ({ n }: Made): number | undefined => (n > 700 ? n % 100 : undefined);
const tier = ({ n }: Made): string | undefined => (n > 700 ? ['free', 'pro'][n % 2] : undefined);

const scored: Sent = { property: 'email_engagement_score', op: 'gte', value: 2 };
const seated: Sent = { custom_property_key: 'seats', op: 'gte', value: 20 };
const notFree: Sent = { custom_property_key: 'tier', op: 'neq', value: 'free' };

const cases: readonly [string, readonly Sent[], (person: Made) => boolean][] = [
  ['everybody', [{ property: 'first_name', op: 'contains', value: 'N' }], () => true],
  ['a field of the person', [scored], (one) => (score(one) ?? -1) >= 2],
  ['a property', [seated], (one) => (seats(one) ?? -1) >= 20],
  ['the lack of a value', [notFree], (one) => tier(one) !== 'free'],
  ['both kinds', [scored, seated], (one) => (score(one) ?? -1) >= 2 && (seats(one) ?? -1) >= 20],
  [
    'all three',
    [scored, seated, notFree],
    (one) => (score(one) ?? -1) >= 2 && (seats(one) ?? -1) >= 20 && tier(one) !== 'free',
  ],
];

test.each(cases)(
  'SEG-057 SEG-058 SEG-060 thousands of members by %s stand on every page as they should, near and far',
  async (_, filters, meets) => {
    const expected = people.filter(meets).map(({ id }) => id);
    expect(expected.length).toBeGreaterThan(2_000);
    const segment = await newSegment(org, filters);
    for (const [limit, offset] of [
      [1, 0],
      [5, 0],
      [50, 0],
      [3, 17],
      [200, 0],
      [200, 150],
      [10, Math.floor(expected.length / 2)],
      [200, expected.length - 100],
      [10, expected.length],
    ]) {
      const { body } = await org.rest(`GET /v1/segments/${segment}/members?limit=${limit}&offset=${offset}`);
      const ids = body.people.map(({ id }: { id: string }) => id);
      expect({ limit, offset, total: body.total, ids }).toEqual({
        limit,
        offset,
        total: expected.length,
        ids: expected.slice(offset, offset! + limit!),
      });
    }
    const listed = await org.rest(`GET /v1/people?segment_id=${segment}&limit=200&offset=1900`);
    expect(listed.body.total).toBe(expected.length);
    expect(listed.body.people.map(({ id }: { id: string }) => id)).toEqual(expected.slice(1900, 2100));
  },
);
