import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Random } from '../../segments/random.ts';
import { expectBalanced, ledgerOf } from '../../support/ledger.ts';
import { ended, moveClock, useSending, scheduleEmail } from '../../support/sending.ts';
import { isLong, seed, volume } from '../../support/volume.ts';
import { violations } from './suppression-judge.ts';
import { befall, newCrowd, type Reader } from './suppression-round.ts';

const sending = useSending();
const hours = 3 * 3_600_000;
const crowd = isLong ? 300 : 160;
const rounds = volume(10);
const sendingMs = (1_000 * crowd) / 300; // about as long as one round sends

/** Who came to their fate while it was being sent, and got it before that, or did not get it for that. */
const seen = { inTime: 0, leftOut: 0 };

test.each(Array.from({ length: rounds }, (_, index) => index))(
  'SND-001 SND-007 SND-008 SND-011 SND-012 nobody is written to once a suppression was answered, nobody twice, nobody left out (round %i)',
  async (index) => {
    const { world, mail } = sending();
    const random = new Random(seed + index);
    const made = await newCrowd(sending(), random, crowd);
    const { org, readers, segment_id } = made;
    const scheduled = await scheduleEmail(world, org, { audience: 'segment', segment_id });
    mail.thinkMs = () => random.int(5, 50);
    const fated = readers.filter(({ fate }) => fate !== 'nothing' && fate !== 'outsider');
    for (const early of fated.filter(({ isEarly }) => isEarly)) await befall(sending(), made, early);
    const began = performance.now();
    await moveClock(org, scheduled.sendAt + hours); // everybody's turn has come: it goes at full speed
    const isUnderWay = firstTry(readers);
    const late = fated.filter(({ isEarly }) => !isEarly);
    await Promise.all(
      late.map(async (one) => {
        // Some while the audience is read and the first are claimed, most while messages go out.
        if (random.chance(0.7)) await isUnderWay;
        await pause(random.int(0, sendingMs));
        await befall(sending(), made, one);
      }),
    );
    expect((await ended(org, scheduled.id)).status, `SEED=${seed}`).toBe('sent');
    const mails = mail.mails.filter(({ subject }) => subject === scheduled.subject);
    const rows = await ledgerOf(world, scheduled.id);
    const receivers = new Set(mails.map(({ to }) => to));
    for (const { email, fate } of late) {
      if (fate !== 'enters') seen[receivers.has(email) ? 'inTime' : 'leftOut']++;
    }
    expect(violations({ readers, mails, rows, began }), `SEED=${seed}`).toEqual([]);
    await expectBalanced(world, scheduled.id);
  },
  240_000,
);

/** When one of these people is first named to the mail server. */
async function firstTry(readers: readonly Reader[]): Promise<void> {
  const emails = new Set(readers.map(({ email }) => email));
  const { tries } = sending().mail;
  const since = tries.length;
  const isUnderWay = () => tries.slice(since).some(({ to }) => emails.has(to));
  await expect.poll(isUnderWay, { timeout: 60_000, interval: 5 }).toBe(true);
}

test('the rounds did catch people in the middle: some had it already, some were left out', () => {
  expect(seen.inTime, `SEED=${seed}`).toBeGreaterThan(10);
  expect(seen.leftOut, `SEED=${seed}`).toBeGreaterThan(10);
});
