import { beforeAll, expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { seed } from '../support/volume.ts';
import { askService, type Answer } from './ask-service.ts';
import { disagreement, evaluate } from './compare-answers.ts';
import { kindOfConfig, kindOfField, operatorsOf } from './facts.ts';
import { now, plenty, rulesOfConditions } from './oracle.ts';
import { Random } from './random.ts';
import { everyOperator } from './random-filters.ts';
import { randomPopulation } from './random-people.ts';
import { storePeople } from './store-people.ts';

const world = useWorld(plenty);

// Chance might leave one out.
let answers: Answer[];
beforeAll(async () => {
  world().clock.now = () => now;
  const random = new Random(seed);
  const made = randomPopulation(random, now, 120);
  const org = await world().newOrg({ currency: made.currency });
  const population = await storePeople(world().admin, org, random, made);
  answers = await askService(org, random, population, everyOperator(random, population));
}, 900_000);

test(`${rulesOfConditions} by every operator of every field, the members are those of an evaluator written apart`, () => {
  const wrong = answers.flatMap((answer) => disagreement(answer) ?? []);
  expect(wrong.slice(0, 5), `${wrong.length} of ${answers.length}`).toEqual([]);
});

test('every operator of every field is asked, and some have it so and others not', () => {
  const asked = new Set<string>();
  const telling = new Set<string>();
  for (const { population, filters } of answers) {
    for (const condition of filters) {
      const { property, custom_property_key: key, op } = condition;
      asked.add(`${property ?? key} ${op}`);
      const kind = kindOfField.get(property ?? '') ?? 'custom';
      if (telling.has(`${kind} ${op}`)) continue;
      const { length } = evaluate(population, [condition], 'before');
      if (length > 0 && length < population.people.length) telling.add(`${kind} ${op}`);
    }
  }
  const configs = answers[0]!.population.configs.filter(({ role }) => role === 'stays');
  const fields = [...kindOfField, ...configs.map(({ key, type }) => [key, kindOfConfig[type]] as const)];
  const all = fields.flatMap(([field, kind]) => operatorsOf[kind].map((op) => `${field} ${op}`));
  expect(
    all.filter((one) => !asked.has(one)),
    `seed ${seed}`,
  ).toEqual([]);
  const kinds = [
    ...[...new Set(kindOfField.values())].flatMap((kind) => operatorsOf[kind].map((op) => `${kind} ${op}`)),
    ...[...operatorsOf.number, ...operatorsOf.text].map((op) => `custom ${op}`),
  ];
  expect(
    kinds.filter((one) => !telling.has(one)),
    `seed ${seed}`,
  ).toEqual([]);
});
