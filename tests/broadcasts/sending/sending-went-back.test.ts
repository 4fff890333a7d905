import { afterEach, expect, test } from 'vitest';
import { releaseSending } from '../../../src/database/held-sending.ts';
import { relayTransaction } from '../../../src/database/org-transaction.ts';
import { sweep } from '../../../src/durable/sweep.ts';
import { idle } from '../../support/idle.ts';
import { expectBalanced, outcomesOf } from '../../support/ledger.ts';
import {
  advanceClock,
  ended,
  moveClock,
  receiversOf,
  useSending,
  scheduleEmail,
} from '../../support/sending.ts';
import { newReaders, newSendingOrg } from '../../support/reader-rows.ts';
import { dumpSending } from '../../support/went-back.ts';
import { isLong } from '../../support/volume.ts';

const sending = useSending();
afterEach(() => {
  sending().mail.thinkMs = () => 0;
});

const heldBecause = async (): Promise<string> => {
  const { rows } = await sending().world.admin.query('select held_because from installation');
  return rows[0].held_because ?? '';
};

test('a database that went back in mid-broadcast sends nothing twice, and says who may have it', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const readers = await newReaders(org, 200);
  const { id, subject, sendAt } = await scheduleEmail(world, org);
  mail.thinkMs = () => 20;
  await moveClock(org, sendAt);
  await idle(world);
  await advanceClock(org, 4 * 3_600); // everybody's turn has come
  await expect.poll(() => receiversOf(mail, subject).length, { timeout: 20_000 }).toBeGreaterThan(10);
  const goBack = await dumpSending(world, org);
  expect((await ended(org, id)).counts.sent).toBe(200);
  await goBack();
  await world.admin.query(`update delivery_lanes set next_at = next_at - interval '1 hour'`); // the leases are over
  await sweep(world.database, new Date(), 0);
  await expect.poll(heldBecause, { timeout: 20_000 }).toMatch(/went back/);
  expect(receiversOf(mail, subject)).toHaveLength(200);
  await idle(world); // lanes come back every ten seconds, and send nothing
  expect((await outcomesOf(world, id))['pending']).toBeGreaterThan(0);
  await relayTransaction(world.database, (db) => releaseSending(db, new Date()));
  if (!isLong) {
    // Looked after at once, instead of when they come back.
    await world.admin.query(`update delivery_lanes set next_at = next_at - interval '1 hour'`);
    await sweep(world.database, new Date(), 0);
  }
  await ended(org, id);
  expect(new Set(receiversOf(mail, subject))).toEqual(new Set(readers.keys()));
  expect(receiversOf(mail, subject)).toHaveLength(200);
  const { sent = 0, ...uncertain } = await outcomesOf(world, id);
  expect(uncertain['uncertain record_lost']).toBeGreaterThan(0);
  // Messages in hand when the copy was taken have no outcome in it, and are uncertain for that reason.
  expect(sent + uncertain['uncertain record_lost']! + (uncertain['uncertain interrupted'] ?? 0)).toBe(200);
  await expectBalanced(world, id);
});
