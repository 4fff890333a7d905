import { seed } from '../support/volume.ts';
import type { Answer } from './ask-service.ts';
import { keyAsKept, membersOf, specified, type Reading, type Rules } from './evaluate.ts';
import type { Condition, Person, Population } from './facts.ts';

/** Where the service and an evaluator disagree about one answer, in a sentence that can be worked with; or nothing. */
export function disagreement(answer: Answer, rules: Rules = specified): string | undefined {
  const { population, filters, preview, listings } = answer;
  const told = (by: string, what: string): string =>
    `seed ${seed}, ${population.people.length} people, ${by}: ${what} for ${brief(filters)}`;
  const now = evaluate(population, filters, 'after', rules).map(({ id }) => id);
  for (const { by, from, to, members, totals } of listings) {
    const difference = firstDifference(answer, members, now.slice(from, to));
    if (difference !== undefined) return told(by, difference);
    const total = totals.find((one) => one !== now.length);
    if (total !== undefined) return told(by, `a total is ${total}, not ${now.length}`);
  }
  const then = evaluate(population, filters, 'before', rules);
  const { length: reachable } = then.filter(
    ({ mailAddress, optOuts, blacklisted }) =>
      mailAddress !== null && optOuts?.email !== true && !blacklisted,
  );
  const samples = then.slice(0, 5).map(({ id }) => id);
  const difference = firstDifference(answer, preview.samples, samples);
  if (difference !== undefined) return told('preview', difference);
  if (preview.count !== then.length) return told('preview', `count is ${preview.count}, not ${then.length}`);
  return preview.reachable === reachable
    ? undefined
    : told('preview', `reachable_by_email is ${preview.reachable}, not ${reachable}`);
}

/** Who matches before the doomed configs are deleted, and after. */
export function evaluate(
  population: Population,
  filters: readonly Condition[],
  moment: 'before' | 'after',
  rules: Rules = specified,
): Person[] {
  const { people, configs, now, minorDigits } = population;
  const there = configs.filter(({ role }) => moment === 'before' || role !== 'doomed');
  const at: Reading = { now, minorDigits, keys: new Set(there.map(({ key }) => key)) };
  return membersOf(people, filters, at, rules);
}

function firstDifference(
  { population, filters }: Answer,
  listed: readonly string[],
  expected: readonly string[],
): string | undefined {
  const places = Array.from({ length: Math.max(listed.length, expected.length) }, (_, place) => place);
  const place = places.find((one) => listed[one] !== expected[one]);
  if (place === undefined) return undefined;
  const person = (id: string | undefined): string => {
    const found = population.people.find((one) => one.id === id);
    return found === undefined ? String(id) : brief(askedAbout(found, filters));
  };
  return `place ${place} is ${person(listed[place])}, not ${person(expected[place])}`;
}

/** Of everything about a person what conditions look at. */
function askedAbout({ id, createdAt, fields, properties }: Person, filters: readonly Condition[]): unknown {
  const facts = filters.map(({ property, custom_property_key: key }) =>
    property === undefined ? [key, properties.get(keyAsKept(key!))] : [property, fields[property]],
  );
  return { id, created_at: createdAt, ...Object.fromEntries(facts) };
}

const brief = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'string' && inner.length > 200
      ? `${inner.slice(0, 150)}… (${inner.length}) …${inner.slice(-20)}`
      : inner,
  );
