import { beforeAll, describe, expect, test } from 'vitest';
import { observe, type Observed } from '../support/observe-person.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

interface Sortable {
  readonly id: string;
  /** For each sort field the rank of this person's value; people of one rank are tied, null has no value. */
  readonly rank: Readonly<Record<string, number | null>>;
}

const moments = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z', '2026-02-01T00:00:00.000Z'];
// As people read them: case and accents do not tear names apart.
const names = ['anna', 'Bert', 'Émile', 'Zoé'];
const amounts = [-5, 0, 700, 70_000];

/** Twenty-three people full of ties and gaps; everything follows from the number, each field with another period. */
async function arrange(org: TestOrg): Promise<Sortable[]> {
  const people: Sortable[] = [];
  for (let n = 0; n < 23; n++) {
    const rank = {
      created_at: n % 3,
      mrr: n % 4,
      ltv: (n >> 1) % 4,
      first_name: n % 5 === 4 ? null : n % 5,
      last_name: n % 7 > 3 ? null : n % 7,
      primary_email: n % 2 === 0 ? n : null,
      last_opened_at: n % 4 === 3 ? null : n % 4,
      last_clicked_at: n < 17 ? null : n % 3,
    };
    const id = await org.person({
      anonymous_id: `visitor ${n}`,
      ...(rank.first_name !== null && { first_name: names[rank.first_name] }),
      ...(rank.last_name !== null && { last_name: names[rank.last_name] }),
      ...(rank.primary_email !== null && { email: `p${String(n).padStart(2, '0')}@example.com` }),
    });
    const observed: Observed = {
      created_at: moments[rank.created_at]!,
      mrr: amounts[rank.mrr]!,
      ltv: amounts[rank.ltv]!,
      ...(rank.last_opened_at !== null && { last_opened_at: moments[rank.last_opened_at]! }),
      ...(rank.last_clicked_at !== null && { last_clicked_at: moments[rank.last_clicked_at]! }),
    };
    await observe(world(), id, observed);
    people.push({ id, rank });
  }
  return people;
}

/** Value, then id, both in the order asked for; whoever has no value comes after everybody who has one. */
function expected(people: readonly Sortable[], sort: string, order: string): string[] {
  const direction = order === 'asc' ? 1 : -1;
  return people
    .toSorted((a, b) => {
      const [left, right] = [a.rank[sort] ?? null, b.rank[sort] ?? null];
      if (left === null || right === null) {
        if (left !== right) return left === null ? 1 : -1;
      } else if (left !== right) return (left - right) * direction;
      return (a.id < b.id ? -1 : 1) * direction;
    })
    .map(({ id }) => id);
}

const idsOf = (body: { people: { id: string }[] }): string[] => body.people.map(({ id }) => id);

/** Every page from the first to the first empty one, put together; `total` must never waver. */
async function pageThrough(org: TestOrg, query: string, limit: number, total: number): Promise<string[]> {
  const ids: string[] = [];
  for (let offset = 0; ; offset += limit) {
    const { status, body } = await org.rest(`GET /v1/people?${query}&limit=${limit}&offset=${offset}`);
    expect({ status, total: body.total }).toEqual({ status: 200, total });
    expect(body.people.length).toBe(Math.max(0, Math.min(limit, total - offset)));
    if (body.people.length === 0) return ids;
    ids.push(...idsOf(body));
  }
}

let org: TestOrg;
let people: Sortable[];
beforeAll(async () => {
  org = await world().newOrg();
  people = await arrange(org);
});

const sorts = [
  'created_at',
  'mrr',
  'ltv',
  'first_name',
  'last_name',
  'primary_email',
  'last_opened_at',
  'last_clicked_at',
];

describe.each(sorts)('%s', (sort) => {
  test.each(['asc', 'desc'])(
    `PPL-034 PPL-036 PPL-041 sorting by ${sort} %s pages through everybody once, those without it last`,
    async (order) => {
      const right = expected(people, sort, order);
      const { body } = await org.tool('list_people', { sort, order, limit: 200 });
      expect(idsOf(body)).toEqual(right);
      expect(await pageThrough(org, `sort=${sort}&order=${order}`, 5, 23)).toEqual(right);
    },
  );
});

test('PPL-034 PPL-041 one at a time, through ties and past the last who has the field', async () => {
  const right = expected(people, 'last_clicked_at', 'desc');
  expect(await pageThrough(org, 'sort=last_clicked_at', 1, 23)).toEqual(right);
});

test('PPL-034 PPL-041 a filtered list is sorted and paged in the same way', async () => {
  const named = people.filter(({ rank }) => rank['mrr'] === 2);
  for (const order of ['asc', 'desc']) {
    const query = `mrr_gte=7&mrr_lte=7&sort=last_name&order=${order}`;
    const right = expected(named, 'last_name', order);
    expect(await pageThrough(org, query, 2, named.length)).toEqual(right);
  }
});

test('PPL-034 PPL-041 where nobody has the sort field, everybody is still listed once', async () => {
  const strangers = await world().newOrg();
  const nobody: Sortable[] = [];
  for (let n = 0; n < 5; n++) nobody.push({ id: await strangers.person({ anonymous_id: `${n}` }), rank: {} });
  for (const sort of ['first_name', 'last_name', 'primary_email', 'last_opened_at', 'last_clicked_at']) {
    const right = expected(nobody, sort, 'asc');
    expect(await pageThrough(strangers, `sort=${sort}&order=asc`, 2, 5)).toEqual(right);
  }
});

test('PPL-035 PPL-036 without sort and order the newest come first', async () => {
  const plain = await org.tool('list_people');
  expect(idsOf(plain.body)).toEqual(expected(people, 'created_at', 'desc'));
  const ascending = await org.rest('GET /v1/people?order=asc');
  expect(idsOf(ascending.body)).toEqual(expected(people, 'created_at', 'asc'));
  const byMrr = await org.rest('GET /v1/people?sort=mrr');
  expect(idsOf(byMrr.body)).toEqual(expected(people, 'mrr', 'desc'));
});
