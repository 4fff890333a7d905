import { afterEach, expect, test } from 'vitest';
import { newWebinar, setVerified, setWebinar } from '../../support/broadcast.ts';
import { idle } from '../../support/idle.ts';
import { expectBalanced, ledgerOf, outcomesOf, quietMoment } from '../../support/ledger.ts';
import {
  advanceClock,
  ended,
  moveClock,
  readBroadcast,
  receiversOf,
  settled,
  useSending,
  scheduleEmail,
} from '../../support/sending.ts';
import { newReaders, newSendingOrg, registerAll } from '../../support/reader-rows.ts';
import { newSegment } from '../../support/segment.ts';

const sending = useSending();
const hours = 3 * 3_600_000;
afterEach(() => {
  sending().mail.refuse = () => undefined;
});

test('a broadcast is sent only when nobody is left to send to, and says when', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const readers = await newReaders(org, 3);
  const webinar_id = await newWebinar(world, org);
  await registerAll(world, org, webinar_id, readers.values());
  const { id, sendAt } = await scheduleEmail(world, org, { audience: 'webinar', webinar_id });
  const last = [...readers.keys()][0];
  mail.refuse = (to) => (to === last ? { code: 451, text: '4.3.0 later' } : undefined);
  await moveClock(org, sendAt);
  await expect.poll(() => outcomesOf(world, id), { timeout: 60_000 }).toEqual({ sent: 2, pending: 1 });
  await idle(world);
  expect(await readBroadcast(org, id)).toMatchObject({
    status: 'sending',
    timing: { started_at: expect.any(String), finished_at: null },
    counts: { recipients: 3, sent: 2 },
  });
  mail.refuse = () => undefined;
  const { due_at } = (await ledgerOf(world, id)).find(({ state }) => state === 'pending')!;
  await moveClock(org, due_at.getTime());
  const { status, timing, counts } = await ended(org, id);
  expect([status, counts.sent]).toEqual(['sent', 3]);
  expect(Date.parse(timing.finished_at)).toBeGreaterThanOrEqual(due_at.getTime());
  await expectBalanced(world, id);
});

test('nobody to send to is sent at once, with nobody', async () => {
  const { world } = sending();
  const org = await newSendingOrg(world);
  const webinar_id = await newWebinar(world, org);
  const { id, sendAt } = await scheduleEmail(world, org, { audience: 'webinar', webinar_id });
  await moveClock(org, sendAt);
  expect(await ended(org, id)).toMatchObject({ status: 'sent', counts: { recipients: 0, sent: 0 } });
});

/** What keeps a broadcast from being sent, and what it says then. */
const troubles = [
  ['its sending domain lost its standing', 'everyone', 'not verified'],
  ['its sender is gone', 'everyone', 'Choose a sender'],
  ['its layout lost its postal address', 'everyone', 'postal address'],
  ['a property its segment asks about is gone', 'segment', 'asks about something that is gone'],
  ['its webinar was canceled', 'webinar', 'was canceled'],
] as const;

async function newTroubled(
  trouble: (typeof troubles)[number][0],
  audience: 'everyone' | 'segment' | 'webinar',
) {
  const { world } = sending();
  const org = await newSendingOrg(world);
  const readers = await newReaders(org, 24);
  const { body } = await org.rest('POST /v1/property-configs', { key: 'plan', name: 'Plan', type: 'string' });
  const filters = [
    { custom_property_key: 'plan', op: 'is_empty' },
    { property: 'primary_email', op: 'is_not_empty' },
  ];
  const webinar_id = await newWebinar(world, org);
  await registerAll(world, org, webinar_id, readers.values());
  const fields = {
    everyone: {},
    segment: { segment_id: await newSegment(org, filters) },
    webinar: { webinar_id },
  };
  const scheduled = await scheduleEmail(world, org, { audience, ...fields[audience] });
  const { sender } = await readBroadcast(org, scheduled.id);
  const befall = {
    'its sending domain lost its standing': () => setVerified(world, sender.id, false),
    'its sender is gone': async () => {
      expect((await org.rest(`DELETE /v1/senders/${sender.id}`)).status).toBe(409); // not by anybody's wish
      await world.admin.query('update broadcasts set sender_id = null where id = $1', [scheduled.id]);
    },
    'its layout lost its postal address': () =>
      world.admin.query('update email_layouts set postal_address = null where org_id = $1', [org.id]),
    'a property its segment asks about is gone': () =>
      org.rest(`DELETE /v1/property-configs/${body.property_config.id}`),
    'its webinar was canceled': () => setWebinar(world, webinar_id, { status: 'canceled' }),
  }[trouble];
  return { org, ...scheduled, befall };
}

test.each(troubles)(
  'when %s before its time, nobody gets it and it says why',
  async (trouble, audience, why) => {
    const { world, mail } = sending();
    const { org, id, subject, sendAt, befall } = await newTroubled(trouble, audience);
    await befall();
    await moveClock(org, sendAt + 1_000);
    expect(await ended(org, id)).toMatchObject({
      status: 'error',
      error: expect.stringContaining(why),
      timing: { started_at: null },
      counts: { recipients: 0, sent: 0 },
    });
    expect((await readBroadcast(org, id)).error).toContain('nothing was sent');
    await advanceClock(org, 4 * 3_600);
    await settled(world, org);
    expect(receiversOf(mail, subject)).toEqual([]);
  },
);

test.each(troubles)(
  'when %s in the middle, nobody else gets it, and everybody is accounted for',
  async (trouble, audience, why) => {
    const { world, mail } = sending();
    const { org, id, subject, sendAt, befall } = await newTroubled(trouble, audience);
    // Half are still to come: by their turn in a list, by a first try that was put off in a webinar.
    let seen = 0;
    mail.refuse = () =>
      audience === 'webinar' && seen++ % 2 === 0 ? { code: 451, text: '4.3.0 later' } : undefined;
    await moveClock(org, sendAt);
    if (audience !== 'webinar') {
      await settled(world, org);
      await moveClock(org, quietMoment(await ledgerOf(world, id), sendAt + hours / 2));
    }
    await expect.poll(() => receiversOf(mail, subject).length, { timeout: 60_000 }).toBeGreaterThan(0);
    await settled(world, org);
    mail.refuse = () => undefined;
    const got = receiversOf(mail, subject).length;
    expect(got).toBeLessThan(24);
    await befall();
    await advanceClock(org, 4 * 3_600);
    expect(await ended(org, id)).toMatchObject({
      status: 'error',
      error: expect.stringContaining(why),
      counts: { recipients: 24, sent: got, skipped: 24 - got, failed: 0 },
    });
    expect((await readBroadcast(org, id)).error).toMatch(/^It was interrupted\. /);
    expect(await outcomesOf(world, id)).toEqual({ sent: got, 'skipped stopped': 24 - got });
    expect(receiversOf(mail, subject)).toHaveLength(got);
    await expectBalanced(world, id);
  },
);
