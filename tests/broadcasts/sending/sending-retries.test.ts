import { afterEach, expect, test } from 'vitest';
import { newWebinar, register } from '../../support/broadcast.ts';
import { idle } from '../../support/idle.ts';
import { expectBalanced, ledgerOf } from '../../support/ledger.ts';
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
import { newReaders, newSendingOrg } from '../../support/reader-rows.ts';
import { isLong } from '../../support/volume.ts';

const sending = useSending();
const minute = 60_000;
const retries = isLong ? 6 : 3;
const hour = 60 * minute;
afterEach(() => {
  sending().mail.refuse = () => undefined;
});

/** A broadcast to one registrant of a webinar that begins so long after its time. */
async function newToOne(webinarAfterMs: number) {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const [reader] = [...(await newReaders(org, 1))];
  const [email, person] = reader!;
  const start_time = new Date(Date.now() + 90 * minute + webinarAfterMs).toISOString();
  const webinar_id = await newWebinar(world, org, { start_time });
  await register(world, org, webinar_id, person);
  const scheduled = await scheduleEmail(world, org, { audience: 'webinar', webinar_id });
  const triesOf = () => mail.tries.filter(({ to }) => to === email).length;
  const row = async () => (await ledgerOf(world, scheduled.id))[0]!;
  return { org, email, ...scheduled, triesOf, row };
}

test('what is put off is tried again after 5 minutes, then 1.3 times as long each time, by the clock of its organization', async () => {
  const { world, mail } = sending();
  const { org, id, sendAt, email, subject, triesOf, row } = await newToOne(48 * hour);
  mail.refuse = () => ({ code: 451, text: '4.3.0 come back later' });
  await moveClock(org, sendAt);
  await expect.poll(triesOf, { timeout: 60_000 }).toBe(1);
  await settled(world, org);
  for (let tried = 1; tried <= retries; tried++) {
    const { due_at, state, attempts, history } = await row();
    expect({ state, attempts }).toEqual({ state: 'pending', attempts: tried });
    const { at } = history.at(-1);
    expect((due_at.getTime() - Date.parse(at)) / minute).toBeCloseTo(5 * 1.3 ** (tried - 1), 1);
    expect(history).toHaveLength(tried);
    // A little before, nothing happens; when it is due, one try.
    await moveClock(org, due_at.getTime() - minute);
    await idle(world);
    expect(triesOf()).toBe(tried);
    if (tried === retries) mail.refuse = () => undefined;
    await moveClock(org, due_at.getTime() + 1);
    await expect.poll(triesOf, { timeout: 60_000 }).toBe(tried + 1);
    await settled(world, org);
  }
  expect((await ended(org, id)).status).toBe('sent');
  expect(await row()).toMatchObject({ state: 'sent', attempts: retries + 1, address: email });
  expect(receiversOf(mail, subject)).toEqual([email]);
});

test.each([
  ['its webinar begins', 15 * minute, 15 * minute],
  ['a day has gone by, after its webinar', -hour, 24 * hour],
])('what is put off again and again is given up when %s', async (_, webinarAfterMs, givesUpAfterMs) => {
  const { world, mail } = sending();
  const { org, id, sendAt, triesOf, row } = await newToOne(webinarAfterMs);
  mail.refuse = () => ({ code: 452, text: '4.2.2 mailbox full' });
  await moveClock(org, sendAt);
  await expect.poll(triesOf, { timeout: 60_000 }).toBe(1);
  await settled(world, org);
  // A day holds some seventeen tries: the gate takes the first for the twelfth.
  const leftOut = isLong || givesUpAfterMs < 24 * hour ? 0 : 11;
  await world.admin.query('update deliveries set attempts = attempts + $2 where broadcast_id = $1', [
    id,
    leftOut,
  ]);
  for (let state = 'pending'; state === 'pending'; { state } = await row()) {
    expect((await readBroadcast(org, id)).status).toBe('sending');
    const { due_at, attempts } = await row();
    expect(due_at.getTime()).toBeLessThan(sendAt + givesUpAfterMs);
    await moveClock(org, due_at.getTime() + 1);
    await expect.poll(triesOf, { timeout: 60_000 }).toBe(attempts + 1 - leftOut);
    await settled(world, org);
  }
  // The next try would have come too late.
  const { state, reason, attempts, history } = await row();
  expect({ state, reason }).toEqual({ state: 'failed', reason: 'gave_up' });
  const last = Date.parse(history.at(-1).at);
  expect(last + 5 * minute * 1.3 ** (attempts - 1)).toBeGreaterThanOrEqual(sendAt + givesUpAfterMs);
  expect(await ended(org, id)).toMatchObject({
    status: 'sent',
    counts: { recipients: 1, sent: 0, failed: 1 },
  });
  await expectBalanced(world, id);
  const tries = triesOf();
  await advanceClock(org, 48 * 3_600);
  await idle(world);
  expect(triesOf()).toBe(tries);
});
