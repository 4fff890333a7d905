import { expect, test } from 'vitest';
import { sweep } from '../../src/durable/sweep.ts';
import { idle } from '../support/idle.ts';
import { ledgerOf, quietMoment } from '../support/ledger.ts';
import { resume, suspend } from '../support/org-state.ts';
import {
  ended,
  moveClock,
  readBroadcast,
  receiversOf,
  scheduleEmail,
  settled,
  useSending,
} from '../support/sending.ts';
import { newReaders, newSendingOrg } from '../support/reader-rows.ts';
import type { TestOrg } from '../support/test-org.ts';

const sending = useSending();
const minute = 60_000;

/** Moves the clock of an organization that may not do so itself, and has the engine told of all that is due. */
async function leap(org: TestOrg, minutes: number): Promise<void> {
  const { world } = sending();
  await world.admin.query(
    'update organizations set clock_ahead_ms = clock_ahead_ms + $2, clock_moved_at = now() where id = $1',
    [org.id, minutes * minute],
  );
  await sweep(world.database, new Date(), 0);
  await idle(world);
}

test('half way through, a suspended organization sends nothing more; who opts out meanwhile is not written to later', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const readers = await newReaders(org, 30);
  const { id, subject, sendAt } = await scheduleEmail(world, org);
  await moveClock(org, sendAt + minute);
  await settled(world, org);
  await moveClock(org, quietMoment(await ledgerOf(world, id), sendAt + 80 * minute));
  await settled(world, org);
  const got = receiversOf(mail, subject);
  expect(got.length).toBeGreaterThan(0);
  expect(got.length).toBeLessThan(30);

  await suspend(world, org);
  await leap(org, 200);
  expect(receiversOf(mail, subject)).toHaveLength(got.length);
  expect((await readBroadcast(org, id)).status).toBe('sending');
  const [, someone] = [...readers].find(([email]) => !got.includes(email))!;
  await org.rest(`PATCH /v1/people/${someone}/opt-outs`, { email_opt_out: true });

  await resume(world, org);
  await sweep(world.database, new Date(), 0);
  expect(await ended(org, id)).toMatchObject({ status: 'sent', counts: { sent: 29, skipped: 1 } });
  expect(new Set(receiversOf(mail, subject)).size).toBe(29);
  expect(receiversOf(mail, subject)).toHaveLength(29);
});

test('a broadcast that came due meanwhile goes out when it is resumed within the hour, and else says why not', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  await newReaders(org, 2);
  const early = await scheduleEmail(world, org, {}, 90);
  const late = await scheduleEmail(world, org, {}, 180);
  await suspend(world, org);
  await leap(org, 100);
  expect((await readBroadcast(org, early.id)).status).toBe('scheduled');
  await resume(world, org);
  await sweep(world.database, new Date(), 0);
  await expect
    .poll(async () => (await readBroadcast(org, early.id)).status, { timeout: 30_000 })
    .toBe('sending');

  await suspend(world, org);
  await leap(org, 200);
  await world.admin.query(
    "update organizations set clock_moved_at = now() - interval '2 hours' where id = $1",
    [org.id],
  );
  await resume(world, org);
  await sweep(world.database, new Date(), 0);
  expect(await ended(org, late.id)).toMatchObject({
    status: 'error',
    error: expect.stringContaining('within an hour'),
  });
  await ended(org, early.id);
  expect(receiversOf(mail, early.subject)).toHaveLength(2);
  expect(receiversOf(mail, late.subject)).toEqual([]);
});
