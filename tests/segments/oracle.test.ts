import { beforeAll, describe, expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { isLong, seed } from '../support/volume.ts';
import { askService, type Answer } from './ask-service.ts';
import { changePeople } from './change-people.ts';
import { disagreement, evaluate } from './compare-answers.ts';
import { specified, type Rules } from './evaluate.ts';
import type { Condition, Population } from './facts.ts';
import { mutants } from './mutants.ts';
import { Random } from './random.ts';
import { randomFilters } from './random-filters.ts';
import { randomPopulation } from './random-people.ts';
import { accentless } from './random-texts.ts';
import { now, plenty, rulesOfConditions } from './oracle.ts';
import { storePeople } from './store-people.ts';

const world = useWorld(plenty);

const sizes = isLong ? [60, 80, 110, 140, 180, 230, 300, 400] : [60, 110];

/**
 * Always asked, because chance seldom asks it: for zero where some have it, or minus zero; for a name without its accents;
 * for what fills up the key of a long text; and for everybody.
 */
function seldomAsked({ people, configs }: Population): Condition[][] {
  const names = people.flatMap(({ fields }) => fields['first_name'] ?? []).map(String);
  const withLongTexts = configs.find(
    ({ role, key }) =>
      role === 'stays' && people.some(({ properties }) => String(properties.get(key) ?? '').length > 500),
  )!;
  const accented = names.find((name) => accentless(name) !== name.normalize('NFD'))!;
  return [
    [{ property: 'health_score', op: 'eq', value: 0 }],
    [{ property: 'score_change_7d', op: 'eq', value: 0 }],
    [{ property: 'first_name', op: 'contains', value: accentless(accented) }],
    [{ custom_property_key: withLongTexts.key, op: 'contains', value: '----' }],
    [{ property: 'health_score', op: 'neq', value: -1 }],
  ];
}

function randomSets(random: Random, population: Population, howMany: number): Condition[][] {
  const always = seldomAsked(population);
  const left = howMany - always.length;
  return [...always, ...Array.from({ length: left }, () => randomFilters(random, population))];
}

const early = isLong ? 200 : 16;
const late = isLong ? 70 : 8;

/**
 * The gate asks few of many, for asking is what takes the time: beside the first ones each that finds out an evaluator
 * below that none before it does.
 */
function mostTelling(sets: readonly Condition[][], population: Population): Condition[][] {
  const left = new Set(Object.values(mutants));
  const isTold = (filters: Condition[], wrong: Partial<Rules>): boolean =>
    (['before', 'after'] as const).some((moment) => {
      const [right, other] = [specified, { ...specified, ...wrong }].map((rules) =>
        evaluate(population, filters, moment, rules).map(({ id }) => id),
      );
      return right!.join() !== other!.join();
    });
  return sets.filter((filters, index) => {
    const told = [...left].filter((wrong) => isTold(filters, wrong));
    for (const one of told) left.delete(one);
    return index < early || told.length > 0;
  });
}

let asked = 0;
const answers: Answer[] = [];
beforeAll(async () => {
  world().clock.now = () => now;
  for (const [index, size] of sizes.entries()) {
    const random = new Random(seed + index);
    const made = randomPopulation(random, now, size);
    const org = await world().newOrg({ currency: made.currency });
    const before = await storePeople(world().admin, org, random, made);
    const questions = isLong
      ? randomSets(random, before, early)
      : mostTelling(randomSets(random, before, 200), before);
    answers.push(...(await askService(org, random, before, questions)));
    const after = await changePeople(world().admin, org, random, made);
    answers.push(...(await askService(org, random, after, randomSets(random, after, late))));
    asked += questions.length + late;
  }
}, 900_000);

test(`${rulesOfConditions} whatever the conditions, the members, their order and total are those of an evaluator written apart`, () => {
  expect(answers).toHaveLength(asked);
  const wrong = answers.flatMap((answer) => disagreement(answer) ?? []);
  expect(wrong.slice(0, 5), `${wrong.length} of ${answers.length}`).toEqual([]);
});

describe('the questions are worth asking', () => {
  // Where the service itself is wrong, any evaluator would be found out.
  let agreed: Answer[] = [];
  beforeAll(() => {
    agreed = answers.filter((answer) => disagreement(answer) === undefined);
  });

  test.each(Object.entries(mutants))('an evaluator is found out by which %s', (_, wrong) => {
    const found = agreed.find((answer) => disagreement(answer, { ...specified, ...wrong }));
    expect(found, `seed ${seed}`).toBeDefined();
  });

  test('they match from nobody to everybody', () => {
    const shares = answers.map(
      ({ population, filters }) => evaluate(population, filters, 'before').length / population.people.length,
    );
    const among = (least: number, most: number) =>
      shares.filter((share) => share >= least && share <= most).length / shares.length;
    expect(among(0, 0), `nobody, seed ${seed}`).toBeGreaterThan(0.05);
    expect(among(1e-9, 0.2), `few, seed ${seed}`).toBeGreaterThan(0.1);
    expect(among(0.2, 0.8), `some, seed ${seed}`).toBeGreaterThan(0.1);
    expect(among(0.8, 1 - 1e-9), `most, seed ${seed}`).toBeGreaterThan(0.05);
    expect(among(1, 1), `everybody, seed ${seed}`).toBeGreaterThan(0.02);
  });
});
