import fc from 'fast-check';
import { toE164 } from '../../src/domain/identifiers/phone-number.ts';
import type { SentIdentifier } from '../../src/domain/people/identify/sent-person.ts';
import type { PropertyScalar } from '../../src/domain/properties/property-value.ts';

/** Somebody who is there before the list comes. */
export interface Before {
  readonly identifiers: readonly (SentIdentifier & { primary: boolean; contact: boolean })[];
  readonly first_name: string | null;
  readonly last_name: string | null;
  /** By the place of the property; null where it was set and cleared. */
  readonly values: readonly (PropertyScalar | null | undefined)[];
  readonly optOuts: { readonly email: boolean; readonly sms: boolean } | null;
  readonly blacklisted: string | null;
}

export interface Line {
  readonly identifiers: readonly SentIdentifier[];
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly values: readonly (PropertyScalar | undefined)[];
  readonly optsOut: boolean;
}

export interface List {
  readonly people: readonly Before[];
  /** Addresses of people who were deleted while they were opted out. */
  readonly remembered: readonly { readonly channel: 'email' | 'sms'; readonly address: string }[];
  readonly lines: readonly Line[];
  /** How many lines are taken at once, in turn. */
  readonly chunks: readonly number[];
}

const one = <const T>(...all: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...all);
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { freq: 2 });
const rarely = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
const orNot = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 2 });

// Few values, so that lines and people share them; of one number two ways to write it.
const external = one('e0', 'e1', 'e2', 'e3', 'e4');
const payment = one('c0', 'c1');
const email = one('a@example.com', 'b@example.com', 'c@example.com', 'd@example.com', 'e@example.com');
const anonymous = one('x0', 'x1', 'a@example.com');
const phone = one('+15550100001', '+1 555 010 0001', '+15550100002', '+15550100003');
const name = one('Ann', 'Bo', 'Cy');

/** A text, a number and a boolean. */
const values = [one('red', 'blue', 'x'.repeat(600)), one(1, 2, -0.5), fc.boolean()] as const;
const newValues = fc.tuple(...values.map((value) => orNot<PropertyScalar>(value)));
const oldValues = fc.tuple(
  ...values.map((value) => orNot<PropertyScalar | null>(maybe<PropertyScalar>(value))),
);

/** In lookup order, each once. */
const identifiers: fc.Arbitrary<SentIdentifier[]> = fc
  .tuple(
    maybe(external),
    rarely(payment),
    maybe(email),
    rarely(anonymous),
    maybe(phone),
    rarely(email),
    rarely(phone),
  )
  .map((values) => {
    const types = ['org_assigned_user_id', 'payment_customer_id', 'email', 'anonymous_id', 'phone'] as const;
    const all = values.flatMap((value, index) =>
      value === null ? [] : { type: types[index] ?? (index === 5 ? 'email' : 'phone'), value },
    );
    return all.filter(
      ({ type, value }, index) =>
        all.findIndex((other) => other.type === type && other.value === value) === index,
    );
  });

const before: fc.Arbitrary<Before> = fc
  .record({
    called: identifiers,
    flags: fc.array(fc.record({ primary: fc.boolean(), contact: fc.boolean() }), {
      minLength: 7,
      maxLength: 7,
    }),
    first_name: maybe(name),
    last_name: maybe(name),
    values: oldValues,
    optOuts: maybe(fc.record({ email: fc.boolean(), sms: fc.boolean() })),
    blacklisted: maybe(email),
  })
  .map(({ called, flags, ...rest }) => ({
    ...rest,
    identifiers: called.map((sent, index) => ({ ...sent, ...flags[index]! })),
  }));

const line: fc.Arbitrary<Line> = fc.record({
  identifiers: identifiers.filter((all) => all.length > 0),
  first_name: maybe(name),
  last_name: maybe(name),
  values: newValues,
  optsOut: fc.nat({ max: 4 }).map((n) => n === 0),
});

const address = fc.oneof(
  email.map((value) => ({ channel: 'email' as const, address: value })),
  phone.map((value) => ({ channel: 'sms' as const, address: toE164(value) ?? value })),
);

/** What is held once by the first of the people only, and what is primary by one of a type. */
function consistent(people: readonly Before[]): Before[] {
  const taken = new Set<string>();
  return people.map((person) => {
    const primaries = new Set<string>();
    const own = person.identifiers.filter(({ type, value }) => {
      const isNew = !taken.has(`${type} ${value}`);
      taken.add(`${type} ${value}`);
      return isNew;
    });
    const flagged = own.map((held) => {
      const primary = held.primary && !primaries.has(held.type);
      if (primary) primaries.add(held.type);
      return { ...held, primary };
    });
    return { ...person, identifiers: flagged };
  });
}

export const list: fc.Arbitrary<List> = fc.record({
  people: fc.array(before, { maxLength: 7, size: 'max' }).map(consistent),
  remembered: fc.array(address, { maxLength: 2, size: 'max' }),
  lines: fc.array(line, { minLength: 1, maxLength: 14, size: 'max' }),
  chunks: fc.array(fc.integer({ min: 1, max: 14 }), { minLength: 1, maxLength: 4 }),
});
