import { expect, test } from 'vitest';
import { moveClock, readBroadcast, settled, useSending, scheduleEmail } from '../../support/sending.ts';
import { newReaders, newSendingOrg } from '../../support/reader-rows.ts';

const sending = useSending();
const pacedMs = 8 * 3_600_000; // by then everybody's time has come

test('when a receiver asks for less because of our address, the next organization hands nothing over', async () => {
  const { world, mail } = sending();
  const triesAt = (readers: ReadonlyMap<string, unknown>) =>
    mail.tries.filter(({ to }) => readers.has(to)).length;
  const [first, second] = [await newSendingOrg(world), await newSendingOrg(world)];
  const [ofFirst, ofSecond] = [await newReaders(first, 3), await newReaders(second, 3)];
  mail.refuse = () => ({ code: 421, text: '4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred' });
  const one = await scheduleEmail(world, first);
  await moveClock(first, one.sendAt + pacedMs);
  await expect.poll(() => triesAt(ofFirst), { timeout: 60_000 }).toBe(3);
  await settled(world, first);
  mail.refuse = () => undefined;
  const other = await scheduleEmail(world, second);
  await moveClock(second, other.sendAt + pacedMs);
  const pending = async (): Promise<number> =>
    (
      await world.admin.query<{ count: number }>(
        `select count(*)::int as count from deliveries
         where org_id = $1 and state = 'pending' and due_at > $2`,
        [second.id, new Date(other.sendAt + pacedMs)],
      )
    ).rows[0]!.count;
  await expect.poll(pending, { timeout: 60_000 }).toBe(3);
  expect(triesAt(ofSecond)).toBe(0);
  expect(await readBroadcast(second, other.id)).toMatchObject({ status: 'sending' });
});
