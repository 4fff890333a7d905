import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { newWebinar } from '../../support/broadcast.ts';
import { expectBalanced, ledgerOf, outcomesOf } from '../../support/ledger.ts';
import {
  advanceClock,
  clockOf,
  ended,
  moveClock,
  receiversOf,
  settled,
  useSending,
  scheduleEmail,
} from '../../support/sending.ts';
import { newReaders, newSendingOrg, registerAll } from '../../support/reader-rows.ts';

const sending = useSending();
const minute = 60_000;
afterEach(() => {
  sending().mail.refuse = () => undefined;
  sending().mail.thinkMs = () => 0;
});

test('a move of the test clock lets out at once whoever became due by it, and nobody else', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  await newReaders(org, 40);
  const { id, subject, sendAt } = await scheduleEmail(world, org);
  await moveClock(org, sendAt);
  await settled(world, org);
  for (const after of [20, 45, 100, 171]) {
    const asked = performance.now();
    await moveClock(org, sendAt + after * minute);
    await settled(world, org);
    // Not only when a sweep finds it: those are half a minute apart.
    expect(performance.now() - asked).toBeLessThan(25_000);
    const rows = await ledgerOf(world, id);
    const got = receiversOf(mail, subject).length;
    const now = await clockOf(org); // seconds went by meanwhile
    const dueAt = (moment: number) => rows.filter(({ due_at }) => due_at.getTime() <= moment).length;
    expect(got).toBeGreaterThanOrEqual(dueAt(sendAt + after * minute));
    expect(got).toBeLessThanOrEqual(dueAt(now));
  }
  await moveClock(org, sendAt + 180 * minute);
  expect((await ended(org, id)).counts.sent).toBe(40);
});

test('a leap of the test clock while messages are in hand makes nobody uncertain, and who is put off is tried again', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const readers = await newReaders(org, 40);
  const webinar_id = await newWebinar(world, org);
  await registerAll(world, org, webinar_id, readers.values());
  const { id, subject, sendAt } = await scheduleEmail(world, org, { audience: 'webinar', webinar_id });
  const putOff = new Set([...readers.keys()].slice(0, 20));
  mail.thinkMs = () => 700;
  mail.refuse = (to) => (putOff.has(to) ? { code: 451, text: '4.3.0 later' } : undefined);
  await moveClock(org, sendAt);
  await expect.poll(() => mail.tries.some(({ to }) => readers.has(to)), { timeout: 60_000 }).toBe(true);
  for (const seconds of [61, 600, 1]) {
    await advanceClock(org, seconds);
    await pause(100);
  }
  await settled(world, org);
  mail.refuse = () => undefined;
  mail.thinkMs = () => 0;
  await advanceClock(org, 3_600);
  expect((await ended(org, id)).status).toBe('sent');
  expect(await outcomesOf(world, id)).toEqual({ sent: 40 });
  expect(receiversOf(mail, subject).toSorted()).toEqual([...readers.keys()].toSorted());
  await expectBalanced(world, id);
});
