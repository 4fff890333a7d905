import { expect, test } from 'vitest';
import { startMailServer } from '../../support/mail-server.ts';
import { advanceClock, scheduleEmail } from '../../support/sending.ts';
import { newReaders, newSendingOrg } from '../../support/reader-rows.ts';
import { openWorld } from '../../support/world.ts';

const hours = 3_600;

test.each([
  ['shut down in the middle', false],
  ['shut down in the middle and away from its engine', true],
])('SND-001 %s, the service finishes what it has in hand and leaves nobody uncertain', async (_, isAway) => {
  const mail = await startMailServer();
  // Once it is under way it takes long, so that it is shut down in the middle however long that takes.
  mail.thinkMs = () => (mail.mails.length < 20 ? 50 : 150);
  const env = { SMTP_URL: mail.url, DNS_SERVERS: '127.0.0.1:9' };
  const world = await openWorld({ engine: true, env });
  const org = await newSendingOrg(world);
  await newReaders(org, 300);
  await scheduleEmail(world, org);
  await advanceClock(org, 6 * hours);
  await expect.poll(() => mail.mails.length, { timeout: 60_000, interval: 20 }).toBeGreaterThan(20);
  // Without the engine nobody waits for the answers any more; they are written down all the same.
  if (isAway) await world.restate!.stop('SIGKILL');
  await world.shutDown();
  const { rows: counts } = await world.admin.query<{ state: string; count: number }>(
    'select state, count(*)::int as count from deliveries group by state order by state',
  );
  await world.close();
  const taken = mail.mails.length;
  await mail.close();
  expect(taken).toBeLessThan(300);
  expect(counts).toEqual([
    { state: 'pending', count: 300 - taken },
    { state: 'sent', count: taken },
  ]);
});
