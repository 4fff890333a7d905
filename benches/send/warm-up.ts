import type { Sink } from '../support/start-sink.ts';
import { dkimPem, newDraft, newWebinar, sendNow, type Setting } from './arrange.ts';
import { untilSent } from './outcome.ts';
import { rivalNames, startRivals, type Rivals } from './rivals.ts';
import type { Service } from './service.ts';

const few = 500;

/** Sends a few messages, which shows what the service sends, then starts the rivals on the same, which send some too. */
export async function warmUp(setting: Setting, service: Service, sink: Sink): Promise<Rivals> {
  await sendFew(setting, service);
  const { sample } = await sink.state();
  const rivals = await startRivals(sink.port, sample, await dkimPem(setting));
  for (const name of rivalNames) {
    await rivals[name].go();
    await sink.watch({ skip: few, count: 0, atMostMs: 8_000 });
    await rivals[name].rest();
  }
  return rivals;
}

/** Code that has just been started is slow: what is measured comes after a few messages. */
export async function sendFew(setting: Setting, service: Service): Promise<void> {
  const broadcast = await newDraft(setting, await newWebinar(setting, few));
  await sendNow(setting, broadcast, service);
  const { status } = await untilSent(setting, broadcast, Date.now() + 120_000);
  if (status !== 'sent') throw new Error('the first few messages were not sent');
}
