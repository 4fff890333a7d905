import { expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { both, email, endOf, out, phone, texts, user, type Example, type Verbs } from './opt-out-stories.ts';

const world = useWorld();

/** A person with the external id, who survives every merge, and another with the address. */
async function two({ identify }: Verbs): Promise<[survivor: string, merged: string]> {
  return [await identify(user), await identify({ email })];
}

const merges: Example[] = [
  {
    story: 'the survivor is out of email',
    async tell(verbs) {
      const [survivor] = await two(verbs);
      await verbs.optOut(survivor, out);
      await verbs.identify(both);
    },
    ends: 'out of email',
  },
  {
    story: 'the merged person is out of email',
    async tell(verbs) {
      const [, merged] = await two(verbs);
      await verbs.optOut(merged, out);
      await verbs.identify(both);
    },
    ends: 'out of email',
  },
  {
    story: 'the merged person is out of texts',
    async tell(verbs) {
      const [, merged] = await two(verbs);
      await verbs.optOut(merged, texts);
      await verbs.identify(both);
    },
    ends: 'out of texts',
  },
  {
    story: 'each is out of one channel',
    async tell(verbs) {
      const [survivor, merged] = await two(verbs);
      await verbs.optOut(survivor, texts);
      await verbs.optOut(merged, out);
      await verbs.identify(both);
    },
    ends: 'out of both',
  },
  {
    story: 'the merged person is out, and the survivor opted in again',
    async tell(verbs) {
      const [survivor, merged] = await two(verbs);
      await verbs.optOut(merged, { ...out, ...texts });
      await verbs.optOut(survivor, { email_opt_out: false, sms_opt_out: false });
      await verbs.identify(both);
    },
    ends: 'out of both',
  },
  {
    story: 'the survivor is out, and the merged person opted in again',
    async tell(verbs) {
      const [survivor, merged] = await two(verbs);
      await verbs.optOut(survivor, { ...out, ...texts });
      await verbs.optOut(merged, { email_opt_out: false, sms_opt_out: false });
      await verbs.identify(both);
    },
    ends: 'out of both',
  },
  {
    story: 'of three who are merged at once the last is out',
    async tell(verbs) {
      await two(verbs);
      await verbs.optOut(await verbs.identify({ phone }), texts);
      await verbs.identify({ ...both, phone });
    },
    ends: 'out of texts',
  },
  {
    story: 'one who is out is merged, and whoever took them in is merged in turn',
    async tell(verbs) {
      const [, merged] = await two(verbs);
      await verbs.optOut(await verbs.identify({ phone }), texts);
      await verbs.optOut(merged, out);
      await verbs.identify({ email, phone });
      await verbs.identify(both);
    },
    ends: 'out of both',
  },
  {
    story: 'a list merges them, and says nothing of consent',
    async tell(verbs) {
      const [, merged] = await two(verbs);
      await verbs.optOut(merged, out);
      await verbs.list(both);
    },
    ends: 'out of email',
  },
  {
    story: 'a list merges them and says that they are out',
    async tell(verbs) {
      await two(verbs);
      await verbs.list({ ...both, optsOut: true });
    },
    ends: 'out of email',
  },
  {
    story: 'a list says of one that they are out, and a later row merges them',
    async tell(verbs) {
      await two(verbs);
      await verbs.list({ email, optsOut: true }, both);
    },
    ends: 'out of email',
  },
  {
    story: 'the merged person unsubscribed by a link before',
    async tell(verbs) {
      const [, merged] = await two(verbs);
      const [unsubscribe] = await verbs.broadcast(merged);
      await unsubscribe!();
      await verbs.identify(both);
    },
    ends: 'out of email',
  },
  {
    story: 'somebody follows the link of a merged person afterwards',
    async tell(verbs) {
      const [, merged] = await two(verbs);
      const [unsubscribe] = await verbs.broadcast(merged);
      await verbs.identify(both);
      await unsubscribe!();
    },
    ends: 'out of email',
  },
  {
    story: 'both got one broadcast, and somebody follows the link of the merged person afterwards',
    async tell(verbs) {
      const [survivor, merged] = await two(verbs);
      const [, unsubscribe] = await verbs.broadcast(survivor, merged);
      await verbs.identify(both);
      await unsubscribe!();
    },
    ends: 'out of email',
  },
  {
    story: 'nobody is out',
    async tell(verbs) {
      await two(verbs);
      await verbs.identify(both);
    },
    ends: 'out of nothing',
  },
  {
    story: 'one was out, and opted in again before',
    async tell(verbs) {
      const [, merged] = await two(verbs);
      await verbs.optOut(merged, out);
      await verbs.optOut(merged, { email_opt_out: false });
      await verbs.identify(both);
    },
    ends: 'out of nothing',
  },
];

test.each(merges)('two become one, $story: $ends', async (example) => {
  expect(await endOf(world(), example)).toBe(example.ends);
});
