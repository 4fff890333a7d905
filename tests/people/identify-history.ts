import fc from 'fast-check';
import { limits } from '../../src/kernel/limits.ts';
import { UnionFind } from '../support/union-find.ts';

/** In the order identify_person looks them up, with the type each is stored as. */
const lookupOrder = [
  ['external_user_id', 'org_assigned_user_id'],
  ['payment_customer_id', 'payment_customer_id'],
  ['email', 'email'],
  ['anonymous_id', 'anonymous_id'],
  ['phone', 'phone'],
] as const;

type Argument = (typeof lookupOrder)[number][0];

export interface IdentifyCall {
  readonly sent: Readonly<Partial<Record<Argument, string>>>;
  /** Also sends a custom property, which leaves a row that refers to the person. */
  readonly withProperty: true | null;
  readonly optOut: OptOut | null;
}

/** After a call is answered: opts out whoever it identified, or the call so many before it. */
interface OptOut {
  readonly back: number;
  readonly flags: { readonly email_opt_out?: true; readonly sms_opt_out?: true };
}

export type History = readonly IdentifyCall[];

/** The identifiers of a call as they are stored, in lookup order. */
export const keysOf = ({ sent }: IdentifyCall): string[] =>
  lookupOrder.flatMap(([argument, type]) =>
    sent[argument] === undefined ? [] : [`${type} ${sent[argument]}`],
  );

/** The call whose person is opted out after the one at this index. */
export const optedOutBy = ({ back }: OptOut, index: number): number => Math.max(0, index - back);

const valueOf = (argument: Argument, person: number, variant: number): string =>
  argument === 'email' ? `p${person}.${variant}@example.com` : `${argument}-${person}-${variant}`;

/** Mostly identifiers of one person, of which each has two a type; now and then one is another's, which joins the two. */
const identifyCall = (people: number): fc.Arbitrary<IdentifyCall> => {
  const anyone = fc.nat({ max: people - 1 });
  const pick = fc.record({ variant: fc.nat({ max: 1 }), borrowedFrom: fc.option(anyone, { freq: 12 }) });
  const picks = fc
    .tuple(...lookupOrder.map(() => fc.option(pick, { freq: 2 })))
    .filter((some) => some.some((one) => one !== null));
  return fc
    .record({ person: anyone, picks, withProperty: oneIn(4, fc.constant(true)), optOut: oneIn(4, optOut) })
    .map(({ person, picks: chosen, ...rest }): IdentifyCall => {
      const sent: Partial<Record<Argument, string>> = {};
      for (const [index, [argument]] of lookupOrder.entries()) {
        const one = chosen[index];
        if (one) sent[argument] = valueOf(argument, one.borrowedFrom ?? person, one.variant);
      }
      return { sent, ...rest };
    });
};

const oneIn = <T>(many: number, some: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: many - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: some });

const optOut: fc.Arbitrary<OptOut> = fc.record({
  back: fc.nat({ max: 29 }),
  flags: fc.constantFrom<OptOut['flags']>(
    { email_opt_out: true },
    { sms_opt_out: true },
    { email_opt_out: true, sms_opt_out: true },
  ),
});

/** Up to 30 identify calls about up to 12 people, with opt-outs in between. */
export const history: fc.Arbitrary<History> = fc
  .integer({ min: 1, max: 12 })
  .chain((people) => fc.array(identifyCall(people), { minLength: 1, maxLength: 30, size: 'max' }))
  .filter(hasRoom);

/** Nobody comes to more identifiers than a person may have: such a call is refused. */
function hasRoom(calls: History): boolean {
  const groups = new UnionFind();
  for (const call of calls) groups.join(keysOf(call));
  return groups.groups().every((group) => group.length <= limits.identifiers_of_person);
}
