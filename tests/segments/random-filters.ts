import { holds, type Reading } from './evaluate.ts';
import {
  dateFields,
  fixedValues,
  kindOfConfig,
  kindOfField,
  numberFields,
  operatorsOf,
  textFields,
  type Condition,
  type Config,
  type Population,
} from './facts.ts';
import type { Random } from './random.ts';
import { randomValue, type Subject } from './random-values.ts';

type Fits = (condition: Condition) => boolean;

/**
 * 1 to 20 conditions, few favoured. Conditions taken blindly would soon match nobody, so most sets are steered: their
 * conditions hold for one person that was chosen, or for a share of everybody.
 */
export function randomFilters(random: Random, population: Population): Condition[] {
  const { people, configs, now, minorDigits } = population;
  const at: Reading = { now, minorDigits, keys: new Set(configs.map(({ key }) => key)) };
  const howMany = random.weighted(
    [55, () => 1],
    [15, () => 2],
    [12, () => 3],
    [10, () => random.int(4, 6)],
    [8, () => random.int(7, 20)],
  );
  const someone = random.pick(people);
  const share = random.pick([0.3, 0.7, 0.95, 1]) * people.length;
  const fits = random.weighted<Fits>(
    [howMany === 1 ? 12 : 1, () => () => true],
    [4, () => (condition) => holds(someone, condition, at)],
    [3, () => (condition) => people.filter((person) => holds(person, condition, at)).length >= share],
  );
  const mayBeDoomed = random.chance(0.12);
  return Array.from({ length: howMany }, (_, index) => {
    const isFree = index === howMany - 1 && random.chance(0.3);
    let condition = randomCondition(random, population, mayBeDoomed);
    for (let tries = 0; tries < 30 && !isFree && !fits(condition); tries++) {
      condition = randomCondition(random, population, mayBeDoomed);
    }
    return condition;
  });
}

/** Every operator of every field and property that stays, each by itself. */
export function everyOperator(random: Random, population: Population): Condition[][] {
  const stay = population.configs.filter(({ role }) => role === 'stays');
  const subjects = [
    ...[...kindOfField.keys()].map((field) => fieldSubject(field, population)),
    ...stay.map((config) => propertySubject(config.key, config, population)),
  ];
  return subjects.flatMap((subject) =>
    operatorsOf[subject.kind].map((op) => [conditionOf(random, population, subject, op)]),
  );
}

function randomCondition(random: Random, population: Population, mayBeDoomed: boolean): Condition {
  const subject = randomSubject(random, population, mayBeDoomed);
  const { kind } = subject;
  // The one operator with much to get wrong is asked more often.
  const op = kind === 'text' && random.chance(0.3) ? 'contains' : random.pick(operatorsOf[kind]);
  return conditionOf(random, population, subject, op);
}

function conditionOf(random: Random, population: Population, subject: Subject, op: string): Condition {
  const { name } = subject;
  if (op === 'is_empty' || op === 'is_not_empty') return { ...name, op };
  const value = (): string | number | boolean => randomValue(random, population, subject, op);
  if (op === 'in')
    return { ...name, op, values: Array.from({ length: random.int(1, 4) }, value).map(String) };
  return { ...name, op, value: value() };
}

/** Texts most, for they have most to get wrong. */
function randomSubject(random: Random, population: Population, mayBeDoomed: boolean): Subject {
  const field = (fields: readonly string[]) => (): Subject => fieldSubject(random.pick(fields), population);
  const configs = population.configs.filter(
    ({ role }) => role === 'stays' || (role === 'doomed' && mayBeDoomed),
  );
  const property = (which: (config: Config) => boolean) => (): Subject => {
    const config = random.pick(configs.filter(which));
    return propertySubject(random.chance(0.1) ? inCamelCase(config.key) : config.key, config, population);
  };
  return random.weighted(
    [20, field(textFields)],
    [6, field(['primary_email'])],
    [20, property(({ type }) => type === 'string')],
    [12, property(({ key }) => key === 'field_note')],
    [14, field(numberFields)],
    [10, property(({ type }) => type === 'number')],
    [15, field(dateFields)],
    [8, field(Object.keys(fixedValues))],
    [7, property(({ type }) => type === 'boolean')],
  );
}

const fieldSubject = (property: string, { people }: Population): Subject => ({
  name: { property },
  kind: kindOfField.get(property)!,
  known: people.flatMap(({ fields }) => fields[property] ?? []),
});

/** As callers write a key now and then who do not care for snake_case. */
const inCamelCase = (key: string): string =>
  key.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const propertySubject = (written: string, { key, type }: Config, { people }: Population): Subject => ({
  name: { custom_property_key: written },
  kind: kindOfConfig[type],
  known: people.flatMap(({ properties }) => properties.get(key) ?? []),
});
