import { beforeAll, expect, test } from 'vitest';
import { plan, setLayout } from '../../support/broadcast.ts';
import { newSender } from '../../support/sender-row.ts';
import { seed } from '../../support/volume.ts';
import { useWorld } from '../../support/world.ts';
import { Random } from '../../segments/random.ts';
import { readings, readPeople } from './plan-oracle.ts';
import { populate } from './plan-population.ts';
import { draftFor, expectedOf, questionsFor } from './plan-questions.ts';
import type { Json } from './plan-support.ts';

const world = useWorld();

const asked: { what: string; planned: Json; expected: ReturnType<typeof expectedOf> }[] = [];
beforeAll(async () => {
  const orgs = [await world().newOrg(), await world().newOrg()];
  const populations = [];
  for (const [index, org] of orgs.entries()) {
    // The same addresses in both: nobody of the one may count in the other.
    const size = index === 0 ? 300 : 80;
    populations.push({ org, webinars: await populate(world(), org, new Random(seed + index), size) });
  }
  for (const { org, webinars } of populations) {
    await setLayout(org);
    const sender_id = await newSender(world(), org);
    const people = await readPeople(world().admin, org);
    for (const question of await questionsFor(org, webinars)) {
      const planned = await plan(org, await draftFor(org, sender_id, question));
      asked.push({ what: `${question.what}, seed ${seed}`, planned, expected: expectedOf(question, people) });
    }
  }
}, 300_000);

const byReason = (a: Json, b: Json): number => (a.reason < b.reason ? -1 : 1);

test('PLN-017 PLN-018 recipients, reachable and every reason count what the rows say, of every audience and channel', () => {
  expect(asked).toHaveLength(40);
  for (const { what, planned, expected } of asked) {
    const { recipients, reachable, excluded } = planned.audience;
    expect({ recipients, reachable, excluded: excluded.toSorted(byReason) }, `${what}`).toEqual(
      expected.audience,
    );
    const left = excluded.reduce((sum: number, { count }: Json) => sum + count, 0);
    expect(recipients, `${what}`).toBe(reachable + left);
  }
});

test('PLN-036 coverage tells of every variable how many have a value and how many get the fallback', () => {
  for (const { what, planned, expected } of asked) {
    const inOrder = (a: Json, b: Json) => (a.name < b.name ? -1 : 1);
    expect(planned.variables.toSorted(inOrder), `${what}`).toEqual(expected.variables.toSorted(inOrder));
  }
});

test('PLN-020 PLN-021 the person previewed would get it, and the body is what that person gets', () => {
  for (const { what, planned, expected } of asked) {
    const person = planned.preview?.person_id;
    expect(expected.bodies.has(person), `${what}`).toBe(expected.audience.reachable > 0);
    expect(planned.preview?.body, `${what}`).toBe(expected.bodies.get(person));
  }
});

test('the people are worth counting', () => {
  const reasons = new Set(
    asked.flatMap(({ expected }) => expected.audience.excluded.map(({ reason }) => reason)),
  );
  expect([...reasons].toSorted()).toEqual(
    ['bounced', 'blacklisted', 'complained', 'invalid_address', 'no_address', 'opted_out'].toSorted(),
  );
  const some = asked.flatMap(({ expected }) => expected.variables);
  for (const name of Object.keys(readings).filter((one) => one !== 'var_mrr')) {
    const both = some.filter((one) => one.name === name && one.with_value > 0 && one.with_fallback > 0);
    expect(both.length, `${name}, seed ${seed}`).toBeGreaterThan(0);
  }
});
