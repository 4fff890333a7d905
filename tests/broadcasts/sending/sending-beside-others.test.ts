import { expect, test } from 'vitest';
import { measured } from '../../support/measured.ts';
import { advanceClock, receiversOf, useSending, scheduleEmail } from '../../support/sending.ts';
import { newReaders, newSendingOrg } from '../../support/reader-rows.ts';
import { hours, others, readers, scheduleLarge, sendBeside } from './beside-others.ts';

const sending = useSending();

async function beginLarge(): Promise<string> {
  const { org, subject } = await scheduleLarge(sending());
  await advanceClock(org, 6 * hours);
  return subject;
}

const fewestOfAny = (subjects: readonly string[]): number =>
  Math.min(...subjects.map((subject) => receiversOf(sending().mail, subject).length));

test(
  'a broadcast to a few begins and is sent at once while large ones of many others are under way',
  { ...measured, timeout: 300_000 },
  async () => {
    const { world, mail } = sending();
    const org = await newSendingOrg(world);
    await newReaders(org, readers);
    const small = await scheduleEmail(world, org);
    const large = await Promise.all(Array.from({ length: others }, beginLarge));
    // All have had their first windows: what is under way is long work.
    const firstWindows = { timeout: 120_000, interval: 100 };
    await expect.poll(() => fewestOfAny(large), firstWindows).toBeGreaterThanOrEqual(64);
    mail.thinkMs = () => 100;
    const slowFrom = mail.mails.length + 50;
    await expect.poll(() => mail.mails.length, { timeout: 60_000 }).toBeGreaterThan(slowFrom);
    // Ten connections make at most a hundred messages a second: it begins within two seconds and is sent within five.
    const { beforeFirst, beforeLast } = await sendBeside(sending(), org, small);
    expect(beforeFirst).toBeLessThan(200);
    expect(beforeLast).toBeLessThan(450);
  },
);
