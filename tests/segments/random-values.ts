import { fixedValues, moneyFields, type Condition, type Kind, type Population } from './facts.ts';
import type { Random } from './random.ts';
import { randomMinor, randomMoment, randomNumber } from './random-people.ts';
import { nearlyPartOf, nearlySame, phrase } from './random-texts.ts';

/** What a condition asks about, with what people have there. */
export interface Subject {
  readonly name: Pick<Condition, 'property' | 'custom_property_key'>;
  readonly kind: Kind;
  readonly known: readonly (string | number | boolean | Date)[];
}

/** Mostly what somebody has, or something that a wrong comparison would take for it. */
export function randomValue(
  random: Random,
  { now, minorDigits }: Population,
  { name, kind, known }: Subject,
  op: string,
): string | number | boolean {
  const own = known.length > 0 && random.chance(0.65) ? random.pick(known) : undefined;
  switch (kind) {
    case 'boolean':
      return random.chance(0.5);
    case 'fixed':
      return random.pick(fixedValues[name.property!]!);
    case 'date':
      return randomDate(random, own as Date | undefined, now);
    case 'number':
      return moneyFields.includes(name.property ?? '')
        ? randomAmount(random, own as number | undefined, minorDigits)
        : nearlyEqual(random, (own as number | undefined) ?? randomNumber(random));
    case 'text': {
      const text = (own as string | undefined) ?? phrase(random);
      if (op === 'contains') return within(nearlyPartOf(random, text));
      // Only addresses are trimmed and lowercased before they are compared.
      if (name.property === 'primary_email' && random.chance(0.4)) return ` ${text.toUpperCase()}\t`;
      return within(nearlySame(random, text));
    }
  }
}

const within = (text: string): string => text.slice(0, 8_192).toWellFormed();

const nearlyEqual = (random: Random, number: number): number => {
  const other = random.weighted(
    [6, () => number],
    [3, () => 0],
    [1, () => number + 1],
    [1, () => number * (1 + Number.EPSILON)],
    [1, () => -number],
  );
  return Number.isFinite(other) ? other : number;
};

/** In major units, sometimes between two minor ones. Beyond 1e13 either way an amount is refused. */
function randomAmount(random: Random, own: number | undefined, minorDigits: number): number {
  const minor = own ?? randomMinor(random);
  const digits = String(Math.abs(minor)).length;
  const amount = (between: string): number => Number(`${minor}${between}e-${minorDigits}`);
  // With more than 15 digits a number of JavaScript may be another amount than the one that was written.
  if (digits > 15 || Math.abs(amount('')) > 1e13) return Math.sign(minor) * 1e13;
  return amount(digits > 12 ? '' : random.weighted([5, () => ''], [1, () => '.5'], [1, () => '.01']));
}

function randomDate(random: Random, own: Date | undefined, now: Date): string {
  if (own === undefined && random.chance(0.6)) return randomToken(random);
  const time = (own ?? randomMoment(random, now)).getTime() + random.pick([0, 0, 0, 1, -1]);
  const least = Date.parse('0000-01-02T00:00:00Z');
  const most = Date.parse('9999-12-31T23:59:59.999Z');
  return written(random, new Date(Math.min(most, Math.max(least, time))));
}

const randomToken = (random: Random): string =>
  random.weighted(
    [1, () => 'now'],
    [2, () => random.pick(['now-7d', 'now-168h', 'now-0d', 'now+0h', 'now-1h', 'now+1d', 'now+24h'])],
    [2, () => `now${random.pick(['-', '+'])}${random.int(0, 400)}${random.pick(['d', 'h'])}`],
    [1, () => random.pick(['now-999999d', 'now+999999d', 'now+999999h', 'now-020000d'])],
  );

/** The same moment as clocks in different places show it. */
function written(random: Random, moment: Date): string {
  const iso = moment.toISOString();
  const minutes = random.pick([0, 0, 330, -300, 60]);
  const local = new Date(moment.getTime() + minutes * 60_000).toISOString();
  if (minutes === 0 || local.length !== iso.length) {
    return iso.replace('.000Z', random.pick(['.000Z', 'Z'])).replace(':00Z', random.pick([':00Z', 'Z']));
  }
  const two = (number: number): string => String(Math.trunc(number)).padStart(2, '0');
  const zone = `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
  return local.replace('Z', zone);
}
