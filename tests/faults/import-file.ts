import type { Chance } from './chance.ts';
import type { Said } from './import-model.ts';

/** A row as it is sent, and what it says; a row that does not fit its mapping says nothing. */
export interface FileRow {
  readonly cells: Readonly<Record<string, string | number | null>>;
  readonly says: Said | null;
}

/** How somebody may be called by a row. */
export interface Named {
  readonly external: string;
  readonly email: string;
  readonly phone: string;
}

export const columns = [
  'Customer id',
  'Email',
  'Other email',
  'Phone',
  'First name',
  'Last name',
  'Subscribed',
  'Plan',
  'Visits',
  'Note',
] as const;

/** The second property is there only once the first import of an organization has been committed. */
export const mappingOf = (isFirst: boolean) => ({
  'Customer id': 'external_user_id',
  Email: 'email',
  'Other email': 'alternate_email',
  Phone: 'phone',
  'First name': 'first_name',
  'Last name': 'last_name',
  Subscribed: 'subscribed_to_emails',
  Plan: { property: 'plan_tier' },
  Visits: isFirst
    ? { new_property: { key: 'visits', name: 'Visits', type: 'number' } }
    : { property: 'visits' },
  Note: 'skip',
});

/** The database of the test refuses to keep an identifier that begins so: no row that brings one can ever succeed. */
export const poison = 'poison-';

/** People nobody has heard of before the file with this number. */
export const strangersOf = (file: number, count: number): Named[] =>
  Array.from({ length: count }, (_, n) => ({
    external: `new-${file}-${n}`,
    email: `new-${file}-${n}@example.net`,
    phone: `+49${30 + file}${String(n).padStart(8, '0')}`,
  }));

export interface Ingredients {
  readonly known: readonly Named[];
  readonly strangers: readonly Named[];
  /** Whether some rows can never be written. */
  readonly hasPoison: boolean;
}

/**
 * Half of the rows are about people who are known, half about others, most of whom come up several times and not always
 * by the same name: so they are made twice and merged by a later row. Some rows bring two people together, some opt
 * out, some are for the bin, and a few can never be written.
 */
export function fileOf(
  rows: number,
  { known, strangers, hasPoison }: Ingredients,
  chance: Chance,
): FileRow[] {
  const oneOf = <T>(items: readonly T[]): T => items[Math.floor(chance() * items.length)]!;
  const maybe = <T>(odds: number, value: T): T | null => (chance() < odds ? value : null);
  const bad = [{ Subscribed: 'maybe' }, { Visits: 'many' }, { Email: 'no address' }, { Colour: 'red' }];

  return Array.from({ length: rows }, (_, index): FileRow => {
    const who = oneOf(chance() < 0.5 ? known : strangers);
    const other = chance() < 0.02 ? oneOf(chance() < 0.5 ? known : strangers) : who;
    const isPoisoned = hasPoison && index % 10_000 === 777;
    let [external, email, phone] = [maybe(0.6, who.external), maybe(0.6, other.email), maybe(0.4, who.phone)];
    if (external === null && email === null && phone === null) external = who.external;
    if (isPoisoned) [external, email, phone] = [poison + who.external, null, null];
    const further = isPoisoned ? null : maybe(0.1, `other.${who.email}`);
    const says: Said = {
      called: [
        ['org_assigned_user_id', external],
        ['email', email],
        ['phone', phone],
        ['email', further],
      ],
      first_name: maybe(0.5, `First ${index}`),
      last_name: maybe(0.3, `Last ${index}`),
      values: { plan_tier: maybe(0.5, oneOf(['free', 'pro', 'team'])), visits: maybe(0.7, index) },
      optsOut: chance() < 0.05,
      canBeWritten: !isPoisoned,
    };
    const cells = {
      'Customer id': external,
      Email: maybe(0.2, true) && email !== null ? ` ${email.toUpperCase()} ` : email,
      'Other email': further,
      Phone: phone,
      'First name': says.first_name ?? '  ',
      'Last name': says.last_name,
      Subscribed: says.optsOut ? oneOf(['no', 'false', '0', 'Unsubscribed']) : maybe(0.5, 'yes'),
      Plan: says.values['plan_tier'] as string | null,
      Visits: says.values['visits'] as number | null,
      Note: maybe(0.1, 'left out'),
    };
    if (chance() < 0.02) return { cells: { ...cells, ...oneOf(bad) }, says: null };
    return { cells, says };
  });
}
