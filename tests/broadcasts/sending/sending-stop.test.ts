import { afterEach, expect, test } from 'vitest';
import { newWebinar } from '../../support/broadcast.ts';
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

const sending = useSending();
const hours = 3 * 3_600_000;
afterEach(() => {
  sending().mail.refuse = () => undefined;
  sending().mail.thinkMs = () => 0;
});

test('stopped between two turns nobody gets it after, and who was still to come is skipped as stopped', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  await newReaders(org, 30);
  const { id, subject, sendAt } = await scheduleEmail(world, org);
  await moveClock(org, sendAt);
  await settled(world, org);
  await moveClock(org, quietMoment(await ledgerOf(world, id), sendAt + hours / 2));
  await expect.poll(() => receiversOf(mail, subject).length, { timeout: 60_000 }).toBeGreaterThan(0);
  await settled(world, org);
  expect((await org.rest(`POST /v1/broadcasts/${id}/stop`)).status).toBe(200);
  const got = receiversOf(mail, subject).length;
  const { status, timing, counts } = await ended(org, id);
  expect({ status, counts }).toEqual({
    status: 'stopped',
    counts: { recipients: 30, sent: got, skipped: 30 - got, failed: 0 },
  });
  expect(timing.finished_at).not.toBeNull();
  await advanceClock(org, 86_400);
  await idle(world);
  expect(receiversOf(mail, subject)).toHaveLength(got);
  expect(await outcomesOf(world, id)).toEqual({ sent: got, 'skipped stopped': 30 - got });
  await expectBalanced(world, id);
  expect((await readBroadcast(org, id)).status).toBe('stopped');
});

async function newFullSpeed(count: number) {
  const { world } = sending();
  const org = await newSendingOrg(world);
  const readers = await newReaders(org, count);
  const webinar_id = await newWebinar(world, org);
  await registerAll(world, org, webinar_id, readers.values());
  const scheduled = await scheduleEmail(world, org, { audience: 'webinar', webinar_id });
  return { org, readers, ...scheduled };
}

test('stopped at full speed only what was in hand at that moment goes out, and everybody is told truly', async () => {
  const { world, mail } = sending();
  const { org, id, subject, sendAt } = await newFullSpeed(300);
  // Slower once it is under way, so that it is stopped in the middle however long that takes.
  mail.thinkMs = () => (receiversOf(mail, subject).length < 20 ? 60 : 200);
  await moveClock(org, sendAt);
  await expect.poll(() => receiversOf(mail, subject).length, { timeout: 60_000 }).toBeGreaterThan(20);
  expect((await org.rest(`POST /v1/broadcasts/${id}/stop`)).status).toBe(200);
  const answered = receiversOf(mail, subject).length;
  const { counts } = await ended(org, id);
  const got = receiversOf(mail, subject).length;
  // Two lanes of 64 at most.
  expect(got - answered).toBeLessThanOrEqual(2 * 64);
  expect(counts).toEqual({ recipients: 300, sent: got, skipped: 300 - got, failed: 0 });
  await idle(world);
  expect(receiversOf(mail, subject)).toHaveLength(got);
  expect(await outcomesOf(world, id)).toEqual({ sent: got, 'skipped stopped': 300 - got });
  await expectBalanced(world, id);
});

test('stopped while messages are being put off, these are skipped as well and nobody is called uncertain', async () => {
  const { world, mail } = sending();
  const { org, id, subject, sendAt } = await newFullSpeed(40);
  mail.thinkMs = () => 400;
  let tried = 0;
  mail.refuse = () => (tried++ % 2 === 0 ? { code: 451, text: '4.3.0 later' } : undefined);
  await moveClock(org, sendAt);
  await expect.poll(() => tried, { timeout: 60_000 }).toBeGreaterThan(4);
  expect((await org.rest(`POST /v1/broadcasts/${id}/stop`)).status).toBe(200);
  await ended(org, id);
  await expect
    .poll(async () => (await ledgerOf(world, id)).some(({ state }) => state === 'sending'), {
      timeout: 60_000,
    })
    .toBe(false);
  await idle(world);
  const got = receiversOf(mail, subject).length;
  expect(await outcomesOf(world, id)).toEqual({ sent: got, 'skipped stopped': 40 - got });
  await expectBalanced(world, id);
});
