import { dateFields, fixedValues, type Config, type Person, type Population } from './facts.ts';
import type { Random } from './random.ts';
import { longText, phrase, word } from './random-texts.ts';

const day = 86_400_000;

const asked: readonly Config[] = [
  { key: 'plan', type: 'string', role: 'stays' },
  { key: 'field_note', type: 'string', role: 'stays' },
  { key: 'score', type: 'number', role: 'stays' },
  { key: 'last_balance', type: 'number', role: 'stays' },
  { key: 'vip', type: 'boolean', role: 'stays' },
  { key: 'took_part', type: 'boolean', role: 'stays' },
  { key: 'old_plan', type: 'string', role: 'doomed' },
  { key: 'old_score', type: 'number', role: 'doomed' },
  { key: 'old_flag', type: 'boolean', role: 'doomed' },
  { key: 'new_plan', type: 'string', role: 'late' },
  { key: 'new_score', type: 'number', role: 'late' },
  { key: 'new_flag', type: 'boolean', role: 'late' },
];

/** As many more as an organization happens to have, made before, between and after those that are asked about. */
function randomConfigs(random: Random): Config[] {
  const beside = (['string', 'number', 'boolean'] as const).flatMap((type) =>
    Array.from({ length: random.pick([0, 0, 3, 9, 20]) }, (_, n): Config => {
      return { key: `beside_${type}_${n}`, type, role: 'beside' };
    }),
  );
  return [...asked, ...beside]
    .map((config) => ({ config, place: random.next() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ config }) => config);
}

const currencies = [
  { currency: 'USD', minorDigits: 2 },
  { currency: 'JPY', minorDigits: 0 },
  { currency: 'KWD', minorDigits: 3 },
];

/** An organization of people with facts of every sort; about a third of the facts are missing. */
export function randomPopulation(random: Random, now: Date, size: number): Population {
  // Many are made in one moment, as an import makes them.
  const moments = Array.from({ length: 6 }, () => randomMoment(random, now));
  const taken = new Set<string>();
  const configs = randomConfigs(random);
  const people = Array.from({ length: size }, () => ({
    ...randomPerson(random, now, moments, taken),
    properties: randomProperties(random, configs),
  }));
  return { ...random.pick(currencies), now, configs, people };
}

function randomPerson(
  random: Random,
  now: Date,
  moments: readonly Date[],
  taken: Set<string>,
): Omit<Person, 'properties'> {
  const maybe = <T>(make: () => T, missing = 0.35): T | null => (random.chance(missing) ? null : make());
  const createdAt = random.chance(0.5) ? random.pick(moments) : randomMoment(random, now);
  const email = maybe(() => unused(taken, () => randomEmail(random)));
  const dates = dateFields.map((field) => [field, maybe(() => anyMoment(random, now))]);
  const fixed = Object.entries(fixedValues).map(([field, values]) => [
    field,
    maybe(() => random.pick(values)),
  ]);
  const person = {
    id: random.uuid(),
    createdAt,
    fields: {
      ...Object.fromEntries(dates),
      ...Object.fromEntries(fixed),
      created_at: createdAt,
      first_name: maybe(() => phrase(random).trim()) || null,
      last_name: maybe(() => phrase(random).trim()) || null,
      primary_email: email,
      primary_phone: maybe(() => unused(taken, () => randomPhone(random))),
      primary_contact_method: maybe(() => random.pick(['email', 'phone'])),
      org_assigned_user_id: maybe(() => unused(taken, () => randomExternalId(random))),
      mrr: random.chance(0.3) ? 0 : randomMinor(random),
      ltv: random.chance(0.3) ? 0 : randomMinor(random),
      email_engagement_score: maybe(() => random.int(0, 100)),
      health_score: maybe(() => random.int(0, 100)),
      score_change_7d: maybe(() => randomNumber(random)),
    },
    optOuts: maybe(() => ({ email: random.chance(0.5), sms: random.chance(0.5) }), 0.7),
    blacklisted: email !== null && random.chance(0.1),
  };
  return { ...person, mailAddress: person.fields.primary_contact_method === 'email' ? email : null };
}

function randomProperties(random: Random, configs: readonly Config[]): Person['properties'] {
  const having = configs.filter(({ role }) => random.chance(role === 'beside' ? 0.2 : 0.7));
  return new Map(having.map((config) => [config.key, randomPropertyValue(random, config)]));
}

export function randomPropertyValue(random: Random, { key, type }: Config): string | number | boolean | null {
  if (random.chance(0.15)) return null;
  if (type === 'boolean') return random.chance(0.5);
  if (type === 'number') return randomNumber(random);
  return key === 'field_note' && random.chance(0.5) ? longText(random) : shortText(random);
}

/** As set_person_property takes them: nothing is trimmed, and the empty text is a text. */
const shortText = (random: Random): string =>
  random.weighted(
    [4, () => random.pick(['Gold', 'gold', 'GOLD', 'Silver', 'gold ', 'Golden', 'g_ld', 'g%'])],
    [4, () => phrase(random)],
    [1, () => random.pick(['', ' ', '\n'])],
  );

/** Values that one holder has: another is made while somebody has it. */
function unused(taken: Set<string>, make: () => string): string {
  let value = make();
  for (let n = 2; taken.has(value); n++) value = n < 5 ? make() : `${n}${make()}`;
  taken.add(value);
  return value;
}

const randomEmail = (random: Random): string => {
  const local = word(random).replaceAll(/[\s@<>(),;:\\"[\]]/g, '') || 'x';
  const domain = random.pick(['example.com', 'example.org', 'exämple.com', 'mail.example.com']);
  return `${local}${random.chance(0.5) ? random.int(1, 99) : ''}@${domain}`.toLowerCase().trim();
};

const randomPhone = (random: Random): string =>
  random.pick(['+1555', '+44 20 ', '(555) ', '0049-', '%', '_']) + random.int(0, 99_999);

const randomExternalId = (random: Random): string =>
  random.weighted(
    [2, () => random.pick(['CRM-', 'crm-', 'crm_', 'CRM%']) + random.int(1, 200)],
    [1, () => phrase(random).trim() || 'x'],
  );

/** Whole minor units. */
export const randomMinor = (random: Random): number =>
  random.weighted(
    [2, () => random.pick([0, 1, -1, 99, 100, 101, 4_200, 4_999, 5_000, -5_000])],
    [1, () => random.int(-100_000, 1_000_000)],
    [1, () => random.pick([1e13, 999_999_999_999_999, 1e15, -1e15, Number.MAX_SAFE_INTEGER, -(2 ** 53) + 1])],
  );

export const randomNumber = (random: Random): number =>
  random.weighted(
    [4, () => random.pick([0, -0, 1, 2, 3, 7, 10, 50, 100, -1, -7, 0.5])],
    [1, () => random.pick([0.1, 0.2, 0.3, 0.1 + 0.2, 1 / 3, 99.999_999_999_999_99, Math.PI])],
    [1, () => random.pick([2 ** 53, 2 ** 53 + 2, -(2 ** 53) - 2, 1e21, 1e308, -1e308, Number.MAX_VALUE])],
    [1, () => random.pick([5e-324, -5e-324, 2.2250738585072014e-308, 1e-9, -1e-9])],
    [1, () => (random.next() - 0.5) * 10 ** random.int(-5, 12)],
  );

/** At the edges of what conditions ask for, and anywhere in some years around. */
export const randomMoment = (random: Random, now: Date): Date => {
  const at = (away: number): Date => new Date(now.getTime() + away);
  return random.weighted(
    [3, () => at(random.pick([0, 1, -1, -7 * day, -7 * day - 1, -7 * day + 1, -3_600_000, day, 30 * day]))],
    [3, () => at(random.int(-60, 60) * day)],
    [3, () => at(random.int(-400 * day, 400 * day))],
    [1, () => new Date(random.pick(['1970-01-01T00:00:00.000Z', '1999-12-31T23:59:59.999Z']))],
    [1, () => new Date(random.pick(['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']))],
  );
};

/** Also beyond the years that a timestamp can name, where only `now±Nd` reaches. */
const anyMoment = (random: Random, now: Date): Date =>
  random.chance(0.03)
    ? new Date(random.pick(['-000711-01-01T00:00:00.000Z', '+012026-01-01T00:00:00.000Z']))
    : randomMoment(random, now);
