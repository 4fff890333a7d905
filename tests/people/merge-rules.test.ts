import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MergeRule } from '../../src/domain/person-fields/field.ts';
import { fieldNames, fieldOf, otherColumns } from '../../src/domain/person-fields/fields.ts';
import type { TestOrg } from '../support/test-org.ts';
import { triesOfService } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

type Value = string | number | readonly string[] | null;
type Row = Readonly<Record<string, Value>>;

const columns: readonly (readonly [column: string, rule: MergeRule])[] = [
  ...fieldNames.map((name) => [fieldOf(name).column, fieldOf(name).merge] as const),
  ...Object.entries(otherColumns),
];
const columnsBy = (...rules: MergeRule[]): string[] =>
  columns.filter(([, rule]) => rules.includes(rule)).map(([column]) => column);

/** The liveliest first. Whoever has none of these comes after them, and whoever never paid anything last. */
const statuses =
  'active trialing past_due paused unpaid incomplete canceled incomplete_expired inactive'.split(' ');

const paysNothing = (row: Row): boolean =>
  columnsBy('with the livelier subscription').every((column) => row[column] === null || row[column] === 0);

function liveliness(row: Row): number {
  if (paysNothing(row)) return statuses.length + 1;
  const place = statuses.indexOf(row['subscription_status'] as string);
  return place === -1 ? statuses.length : place;
}

const latestOf = (one: Value, other: Value): Value => {
  if (one === null || other === null) return one ?? other;
  return new Date(one as string) > new Date(other as string) ? one : other;
};

/** Each rule in plain words: what a column of the survivor is after a merge. Engagement is a logarithm of base two. */
const expected: Readonly<Record<MergeRule, (column: string, survivor: Row, merged: Row) => unknown>> = {
  survivor: (column, survivor) => survivor[column],
  'survivor unless empty': (column, survivor, merged) => survivor[column] ?? merged[column],
  latest: (column, survivor, merged) => latestOf(survivor[column]!, merged[column]!),
  'engagement of both': (column, survivor, merged) => {
    const known = [survivor[column], merged[column]].filter((value) => value !== null) as number[];
    return known.length === 0
      ? null
      : expect.closeTo(Math.log2(known.reduce((sum, one) => sum + 2 ** one, 0)), 9);
  },
  'members of both': (column, survivor, merged) =>
    [...new Set([...(survivor[column] as string[]), ...(merged[column] as string[])])].toSorted(),
  'with the livelier subscription': (column, survivor, merged) =>
    (liveliness(merged) < liveliness(survivor) ? merged : survivor)[column],
  'from the identifiers': (column, survivor, merged) => {
    const first = (name: string) => survivor[name] ?? merged[name];
    if (column === 'other_email') return null; // the primary address of either may be written to
    if (column !== 'primary_contact_method') return first(column);
    return first('primary_email') === null ? (first('primary_phone') === null ? null : 'phone') : 'email';
  },
  'time of the merge': () => 'now',
};

const moments = ['2026-01-31T08:00:00+00:00', '2026-06-30T17:30:00+00:00', '2026-07-01T00:00:00.001+00:00'];
const members = ['a', 'b', 'e'].map((letter) => `00000000-0000-4000-8000-00000000000${letter}`);

/** Values of a field by its declaration; with `gaps`, half of the people have none. */
function valueFor(name: (typeof fieldNames)[number], gaps: boolean): fc.Arbitrary<Value> {
  const field = fieldOf(name);
  const choices = field.kind === 'choice' ? field.values : [null];
  const value: Readonly<Record<typeof field.kind, fc.Arbitrary<Value>>> = {
    text: fc.constantFrom('Ann', 'Änne', "O'Neil"),
    choice: fc.constantFrom(...choices),
    number: fc.constantFrom(-2, 0, 1.5, 90),
    money: fc.constantFrom(1, 250, 70_000),
    score: fc.constantFrom(12, 12.5, 40),
    moment: fc.constantFrom(...moments),
  };
  if (!gaps) return value[field.kind];
  if (!field.everybodyHas) return fc.option(value[field.kind], { freq: 1 });
  return field.kind === 'money' ? fc.oneof(fc.constant(0), value.money) : value[field.kind];
}

const arranged = fieldNames.filter((name) => fieldOf(name).merge !== 'from the identifiers');

/** Somebody with values of all columns that people are merged by, and identifiers of some kinds. */
function anybodyWith(gaps: boolean) {
  const member = fc.constantFrom(...members);
  const has = gaps ? fc.boolean() : fc.constant(true);
  return fc.record({
    fields: fc.record({
      ...Object.fromEntries(arranged.map((name) => [fieldOf(name).column, valueFor(name, gaps)])),
      primary_team_member: gaps ? fc.option(member, { freq: 1 }) : member,
      assigned_team_members: fc.subarray(members, { minLength: gaps ? 0 : 1 }),
    } as Record<string, fc.Arbitrary<Value>>),
    identifiers: fc.record({ primary_email: has, primary_phone: has, external_user_id: has }),
  });
}
type Somebody = ReturnType<typeof anybodyWith> extends fc.Arbitrary<infer One> ? One : never;

const [full, other] = fc.sample(anybodyWith(false), { numRuns: 2, seed: 1 }) as [Somebody, Somebody];
const leastOf = (name: (typeof fieldNames)[number]): Value => {
  const { everybodyHas, kind } = fieldOf(name);
  return everybodyHas ? (kind === 'money' ? 0 : moments[0]!) : null;
};
/** Who has only what everybody has. */
const nobody: Somebody = {
  fields: {
    ...Object.fromEntries(arranged.map((name) => [fieldOf(name).column, leastOf(name)])),
    primary_team_member: null,
    assigned_team_members: [],
  },
  identifiers: { primary_email: false, primary_phone: false, external_user_id: false },
};

let made = 0;

/** Somebody with these columns, whose `key` finds them before or after the other. */
async function arrange(org: TestOrg, key: object, { fields, identifiers }: Somebody): Promise<string> {
  const n = made++;
  const person = await org.person({
    ...key,
    ...(identifiers.primary_email && { email: `p${n}@example.com` }),
    ...(identifiers.primary_phone && { phone: `+1555${String(n).padStart(7, '0')}` }),
    ...(identifiers.external_user_id && { external_user_id: `user ${n}` }),
  });
  const names = Object.keys(fields);
  const set = names.map((column, at) => `${column} = $${at + 2}`);
  await world().admin.query(`update people set ${set.join(', ')}, updated_at = '2020-01-01' where id = $1`, [
    person,
    ...Object.values(fields),
  ]);
  return person;
}

async function rowOf(person: string): Promise<Row> {
  const { rows } = await world().admin.query('select to_jsonb(p) as row from people p where id = $1', [
    person,
  ]);
  return rows[0].row as Row;
}

test('IDN-021 every column of two people is merged by its declared rule, whoever of them has a value', async () => {
  const org = await world().newOrg();
  await fc.assert(
    fc.asyncProperty(anybodyWith(true), anybodyWith(true), async (one, two) => {
      const n = made++;
      const keys = { payment_customer_id: `customer ${n}`, anonymous_id: `visitor ${n}` };
      const survivor = await arrange(org, { payment_customer_id: keys.payment_customer_id }, one);
      const merged = await arrange(org, { anonymous_id: keys.anonymous_id }, two);
      const [mine, theirs] = [await rowOf(survivor), await rowOf(merged)];
      const began = new Date();
      expect(await org.person(keys)).toBe(survivor);
      const left = await rowOf(survivor);
      const isNow = new Date(left['updated_at'] as string) >= began;
      expect({ ...left, updated_at: isNow ? 'now' : 'before' }).toEqual(
        Object.fromEntries(columns.map(([column, rule]) => [column, expected[rule](column, mine, theirs)])),
      );
    }),
    {
      ...triesOfService(400),
      examples: [
        [full, other],
        [full, nobody],
        [nobody, full],
        [nobody, nobody],
      ],
    },
  );
});
