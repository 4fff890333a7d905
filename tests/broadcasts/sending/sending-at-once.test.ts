import { expect, test } from 'vitest';
import { newWebinar } from '../../support/broadcast.ts';
import { expectBalanced, outcomesOf } from '../../support/ledger.ts';
import { clockOf, ended, moveClock, receiversOf, useSending, scheduleEmail } from '../../support/sending.ts';
import { newReaders, newSendingOrg, registerAll } from '../../support/reader-rows.ts';

const sending = useSending();

test('SND-005 a webinar broadcast goes out at once at its time, to everybody registered', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const readers = await newReaders(org, 150);
  const webinar_id = await newWebinar(world, org);
  await registerAll(world, org, webinar_id, readers.values());
  const { id, subject, sendAt } = await scheduleEmail(world, org, { audience: 'webinar', webinar_id });
  const moved = performance.now();
  await moveClock(org, sendAt);
  const { status, counts } = await ended(org, id);
  expect({ status, counts }).toEqual({
    status: 'sent',
    counts: { recipients: 150, sent: 150, skipped: 0, failed: 0 },
  });
  expect(receiversOf(mail, subject).toSorted()).toEqual([...readers.keys()].toSorted());
  expect(await outcomesOf(world, id)).toEqual({ sent: 150 });
  await expectBalanced(world, id);
  // No more of the organization's time went by than of ours.
  const went = (await clockOf(org)) - sendAt;
  expect(went).toBeLessThanOrEqual(performance.now() - moved + 1_000);
});
