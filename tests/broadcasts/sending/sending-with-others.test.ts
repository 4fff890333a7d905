import { expect, test } from 'vitest';
import { measured } from '../../support/measured.ts';
import { useSending, scheduleEmail } from '../../support/sending.ts';
import { newReaders, newSendingOrg } from '../../support/reader-rows.ts';
import { letCome, others, readers, scheduleLarge, sendBeside } from './beside-others.ts';

const sending = useSending();

test(
  'a broadcast to a few is sent before large ones of many others that begin with it',
  { ...measured, timeout: 300_000 },
  async () => {
    const { world, mail } = sending();
    const org = await newSendingOrg(world);
    await newReaders(org, readers);
    const small = await scheduleEmail(world, org);
    const large = await Promise.all(Array.from({ length: others }, () => scheduleLarge(sending())));
    mail.thinkMs = () => 100;
    const [{ beforeLast }] = await Promise.all([
      sendBeside(sending(), org, small),
      ...large.map((one) => letCome(one.org, one)),
    ]);
    mail.thinkMs = () => 0;
    expect(beforeLast).toBeLessThan(150);
  },
);
