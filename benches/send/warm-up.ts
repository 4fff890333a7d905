import type { Sink } from '../support/start-sink.ts';
import { dkimPem, newDraft, newWebinar, sendNow, type Setting } from './arrange.ts';
import { startBare, type Bare } from './bare.ts';
import { untilSent } from './outcome.ts';
import { patternOf } from './pattern.ts';
import type { Service } from './service.ts';

const few = 500;

/** Sends a few messages, which shows what the service sends, then starts nodemailer on the same, which sends some too. */
export async function warmUp(setting: Setting, service: Service, sink: Sink): Promise<Bare> {
  const broadcast = await newDraft(setting, await newWebinar(setting, few));
  await sendNow(setting, broadcast, service);
  const { status } = await untilSent(setting, broadcast, Date.now() + 120_000);
  if (status !== 'sent') throw new Error('the first few messages were not sent');
  const { sample } = await sink.state();
  const bare = await startBare(sink.port, await patternOf(sample, await dkimPem(setting)));
  await bare.go();
  await sink.watch({ skip: few, count: 0, atMostMs: 8_000 });
  await bare.rest();
  return bare;
}
