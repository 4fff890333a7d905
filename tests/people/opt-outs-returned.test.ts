import { expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import {
  both,
  email,
  endOf,
  external_user_id,
  out,
  phone,
  texts,
  user,
  type Example,
  type Fields,
  type Verbs,
} from './opt-out-stories.ts';

const world = useWorld();

/** Somebody with both addresses who opted out, and was deleted all the same. */
async function gone({ identify, optOut, drop }: Verbs, flags: Fields = out): Promise<void> {
  const person = await identify({ email, phone });
  await optOut(person, flags);
  await drop(person);
}

const returns: Example[] = [
  {
    story: 'the address is identified',
    tell: async ({ identify }) => identify(both),
    ends: 'out of email',
  },
  {
    story: 'a form brings it',
    tell: async ({ register }) => register({ user_id: external_user_id, email }),
    ends: 'out of email',
  },
  {
    story: 'an event brings it',
    tell: async ({ event }) => event({ user_id: external_user_id, email }),
    ends: 'out of email',
  },
  {
    story: 'a list brings it',
    tell: async ({ list }) => list(both),
    ends: 'out of email',
  },
  {
    story: 'it is added to somebody known, by identifying them',
    tell: async ({ identify }) => (await identify(user), identify(both)),
    ends: 'out of email',
  },
  {
    story: 'it is added to somebody known, by a list',
    tell: async ({ identify, list }) => (await identify(user), list(both)),
    ends: 'out of email',
  },
  {
    story: 'it is added to somebody known, by a form',
    tell: async ({ identify, register }) => (
      await identify(user),
      register({ user_id: external_user_id, email })
    ),
    ends: 'out of email',
  },
  {
    story: 'somebody known changes their address to it',
    async tell({ identify, change }) {
      const person = await identify({ ...user, email: 'other@example.com' });
      await change(person, 'other@example.com', email);
    },
    ends: 'out of email',
  },
  {
    story: 'it comes with a call that merges two others',
    async tell({ identify }) {
      await identify(user);
      await identify({ anonymous_id: 'visitor' });
      await identify({ ...both, anonymous_id: 'visitor' });
    },
    ends: 'out of email',
  },
  {
    story: 'it comes back, and whoever has it is merged',
    async tell({ identify }) {
      await identify(user);
      await identify({ email });
      await identify(both);
    },
    ends: 'out of email',
  },
  {
    story: 'only the number comes back, which was not opted out',
    tell: async ({ identify }) => identify({ ...user, phone }),
    ends: 'out of nothing',
  },
  {
    story: 'another address comes',
    tell: async ({ identify }) => identify({ ...user, email: 'other@example.com' }),
    ends: 'out of nothing',
  },
];

const others: Example[] = [
  {
    story: 'whoever is deleted while out of texts comes back with the number written another way',
    async tell(verbs) {
      await gone(verbs, texts);
      await verbs.identify({ ...user, phone: '+49 (151) 1234-5678' });
    },
    ends: 'out of texts',
  },
  {
    story:
      'one who is out is merged, the survivor is deleted, and the address of the merged person comes back',
    async tell(verbs) {
      const merged = await verbs.identify({ email });
      const survivor = await verbs.identify({ ...user, phone });
      await verbs.optOut(merged, out);
      await verbs.identify(both);
      await verbs.drop(survivor);
      await verbs.identify({ email });
    },
    who: { email },
    ends: 'out of email',
  },
  {
    story: 'the survivor is out, is deleted after a merge, and the address of the merged person comes back',
    async tell(verbs) {
      const survivor = await verbs.identify(user);
      await verbs.identify({ email });
      await verbs.optOut(survivor, out);
      await verbs.identify(both);
      await verbs.drop(survivor);
      await verbs.identify({ email });
    },
    who: { email },
    ends: 'out of email',
  },
  {
    story: 'somebody out gives up an address, which another takes',
    async tell(verbs) {
      const person = await verbs.identify({ email, phone });
      await verbs.optOut(person, out);
      await verbs.giveUp(person, email);
      await verbs.identify(both);
    },
    ends: 'out of email',
  },
  {
    story: 'somebody out changes an address, and another takes the old one',
    async tell(verbs) {
      const person = await verbs.identify({ email });
      await verbs.optOut(person, out);
      await verbs.change(person, email, 'new@example.com');
      await verbs.identify(both);
    },
    ends: 'out of email',
  },
  {
    story: 'somebody out is identified, registers, has an event and stands in a list',
    async tell(verbs) {
      const person = await verbs.identify(both);
      await verbs.optOut(person, { ...out, ...texts });
      await verbs.identify({ ...both, first_name: 'Ann' });
      await verbs.register({ user_id: external_user_id, email });
      await verbs.event({ user_id: external_user_id, email });
      await verbs.list({ ...both, first_name: 'Anna', optsOut: false });
    },
    ends: 'out of both',
  },
  {
    story: 'a list says out, and a later row of the same list says nothing',
    tell: async ({ list }) => list({ ...both, optsOut: true }, { ...both, optsOut: false }),
    ends: 'out of email',
  },
];

test.each(returns)(
  'whoever was deleted while out of email comes back, $story: $ends',
  async ({ tell, ends }) => {
    const story = async (verbs: Verbs) => (await gone(verbs), tell(verbs));
    expect(await endOf(world(), { tell: story })).toBe(ends);
  },
);

test.each(others)('$story: $ends', async (example) => {
  expect(await endOf(world(), example)).toBe(example.ends);
});

test('what one organization was told is nothing to another', async () => {
  const back = (verbs: Verbs) => verbs.identify({ ...both, phone });
  const told = async (verbs: Verbs) => (await gone(verbs, { ...out, ...texts }), back(verbs));
  expect(await endOf(world(), { tell: told })).toBe('out of both');
  expect(await endOf(world(), { tell: back })).toBe('out of nothing');
});
