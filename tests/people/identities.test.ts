import { expect, test } from 'vitest';
import { Identities } from '../../src/domain/people/identify/identities.ts';
import type { PersonId } from '../../src/kernel/ids.ts';

const email = (value: string) => ({ type: 'email' as const, value });
const id = (value: string) => ({ type: 'org_assigned_user_id' as const, value });

// Walking from the first to the last at every row would be two hundred million steps.
test('twenty thousand people who all turn out to share one address are gone through at once', () => {
  const many = 20_000;
  const identities = new Identities();
  identities.hold('first' as PersonId, [email('info@example.com')]);
  for (let n = 0; n < many; n++) identities.hold(`p${n}` as PersonId, [id(`u${n}`)]);
  let before = 'first';
  for (let n = 0; n < many; n++) {
    const { people, missing } = identities.look([id(`u${n}`), email('info@example.com')]);
    expect([people, missing]).toEqual([[`p${n}`, before], []]);
    identities.merge(people[0]!, people.slice(1));
    before = people[0]!;
  }
  for (const n of [0, 1, many / 2, many - 1])
    expect(identities.look([id(`u${n}`)]).people).toEqual([`p${many - 1}`]);
});

test('whoever was merged by way of others is found as the last survivor, from everywhere on the way', () => {
  const identities = new Identities();
  for (const name of ['a', 'b', 'c', 'd']) identities.hold(name as PersonId, [id(name)]);
  identities.merge('b' as PersonId, ['a' as PersonId]);
  identities.merge('c' as PersonId, ['b' as PersonId]);
  expect(identities.look([id('a')]).people).toEqual(['c']);
  identities.merge('d' as PersonId, ['c' as PersonId]);
  for (const name of ['a', 'b', 'c', 'd']) expect(identities.look([id(name)]).people).toEqual(['d']);
  expect(identities.look([id('b'), id('c'), id('e')])).toEqual({ people: ['d'], missing: [id('e')] });
});
