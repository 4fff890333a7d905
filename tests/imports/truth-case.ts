import type { MergePolicy } from '../../src/domain/imports/record/import.ts';

/** The same numbers for the same seed. */
export function dice(seed: number) {
  let state = Math.imul(seed, 2_654_435_761) + 1;
  const next = (): number => {
    state = Math.imul(state ^ (state >>> 15), state | 1);
    state ^= state + Math.imul(state ^ (state >>> 7), state | 61);
    return ((state ^ (state >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (most: number): number => Math.floor(next() * most);
  return {
    below,
    chance: (share: number): boolean => next() < share,
    one: <T>(of: readonly T[]): T => of[below(of.length)]!,
  };
}
export type Dice = ReturnType<typeof dice>;

/** What a person may be called by: few of each, so that rows and people meet. */
const pools = {
  external_user_id: ['x1', 'x2', 'x3', 'x4', 'x5', 'x6'],
  payment_customer_id: ['c1', 'c2', 'c3', 'c4'],
  email: ['a@t.co', 'b@t.co', 'c@t.co', 'd@t.co', 'e@t.co', 'f@t.co', 'g@t.co', 'h@t.co'],
  anonymous_id: ['n1', 'n2', 'n3', 'n4'],
  phone: ['+15550000001', '+15550000002', '+15550000003', '+15550000004', '+15550000005'],
} as const;
const callable = Object.keys(pools) as (keyof typeof pools)[];

const properties = { tier: ['gold', 'iron', 'tin'], seats: [1, 2, 3], vip: [true, false] } as const;
export type Key = keyof typeof properties;
export const propertyTypes: Record<Key, 'string' | 'number' | 'boolean'> = {
  tier: 'string',
  seats: 'number',
  vip: 'boolean',
};

export interface SomePerson {
  readonly called: Record<string, string>;
  readonly values: Partial<Record<Key, string | number | boolean | null>>;
  readonly optOuts: { readonly email_opt_out: boolean; readonly sms_opt_out: boolean };
  /** Deleted before the import: what they were suppressed at is remembered. */
  readonly isGone: boolean;
}

export interface Case {
  readonly people: readonly SomePerson[];
  readonly mapping: Readonly<Record<string, unknown>>;
  /** The rows of each call. */
  readonly calls: readonly (readonly Record<string, unknown>[])[];
  readonly policy: MergePolicy;
  /** Rows a chunk of the commit takes; with one, everything can be watched row by row. */
  readonly mostRows: number;
}

export function makeCase(rolled: Dice): Case {
  const { below, chance, one } = rolled;
  const taken = new Set<string>();
  const people = Array.from({ length: below(8) }, () => makePerson(rolled, taken)).filter(
    ({ called }) => Object.keys(called).length > 0,
  );
  const mapping = makeMapping(rolled);
  const rowOf = (): Record<string, unknown> =>
    Object.fromEntries(Object.keys(mapping).map((column) => [column, makeCell(rolled, column, people)]));
  // A row that only says what is known already changes nobody.
  const echoOf = ({ called }: SomePerson): Record<string, unknown> =>
    Object.fromEntries(Object.entries(called).filter(([column]) => column in mapping));
  const calls = Array.from({ length: 1 + below(4) }, () =>
    Array.from({ length: 1 + below(5) }, () =>
      people.length > 0 && chance(0.15) ? echoOf(one(people)) : rowOf(),
    ),
  );
  return {
    people,
    mapping,
    calls,
    policy: one(['block', 'skip_rows', 'allow', 'allow']),
    mostRows: one([1, 1, 2, 3, 1_000]),
  };
}

function makePerson({ chance, one }: Dice, taken: Set<string>): SomePerson {
  const called: Record<string, string> = {};
  for (const field of callable) {
    const value = one(pools[field]);
    if (!chance(0.4) || taken.has(value)) continue;
    taken.add(value);
    called[field] = value;
  }
  const isGone = chance(0.25);
  if (isGone) for (const value of Object.values(called)) taken.delete(value);
  if (Object.keys(called).length > 0 && chance(0.4)) called['first_name'] = one(['Ann', 'Bob']);
  if (Object.keys(called).length > 0 && chance(0.3)) called['last_name'] = one(['Ivers', 'Osei']);
  const values: SomePerson['values'] = {};
  for (const key of Object.keys(properties) as Key[])
    if (chance(0.5)) values[key] = chance(0.15) ? null : one<string | number | boolean>(properties[key]);
  const optOuts = {
    email_opt_out: chance(isGone ? 0.8 : 0.2),
    sms_opt_out: chance(isGone ? 0.6 : 0.15),
  };
  return { called, values, optOuts, isGone };
}

function makeMapping({ chance }: Dice): Record<string, unknown> {
  const mapping: Record<string, unknown> = {};
  for (const field of callable) if (chance(0.55)) mapping[field] = field;
  if (Object.keys(mapping).length === 0) mapping['email'] = 'email';
  for (const field of ['alternate_email', 'alternate_phone', 'first_name', 'last_name'])
    if (chance(0.4)) mapping[field] = field;
  for (const field of ['subscribed_to_emails', 'unsubscribed_from_emails'])
    if (chance(0.35)) mapping[field] = field;
  for (const key of Object.keys(properties)) if (chance(0.45)) mapping[key] = { property: key };
  if (chance(0.3)) mapping['size'] = { new_property: { key: 'size', name: 'Size', type: 'number' } };
  if (chance(0.2)) mapping['note'] = 'skip';
  return mapping;
}

function makeCell({ chance, one }: Dice, column: string, people: readonly SomePerson[]): unknown {
  if (chance(0.35)) return one([null, '', '  ']);
  // What people who are gone were called by comes back more often than chance would have it.
  const left = people.flatMap(({ isGone, called }) => (isGone ? (called[column] ?? []) : []));
  if (left.length > 0 && chance(0.35)) return one(left);
  if (column in pools) return one(pools[column as keyof typeof pools]);
  if (column === 'alternate_email') return chance(0.03) ? 'no address' : one(pools.email).toUpperCase();
  if (column === 'alternate_phone') return one(pools.phone);
  if (column === 'first_name' || column === 'last_name') return one(['Cleo', 'Dev']);
  if (column.endsWith('_emails'))
    return one(['yes', 'no', true, false, 0, '1', chance(0.1) ? 'maybe' : 'no']);
  if (column === 'size' || column === 'seats') return chance(0.03) ? 'many' : one(['1', 2, 3]);
  return column === 'note' ? 'anything' : one<unknown>(properties[column as Key]);
}
