import { tell } from '../support/command.ts';
import { newDraft, sendNow, type Setting } from './arrange.ts';
import { sentByRivals } from './rivals.ts';
import { untilSent } from './outcome.ts';
import { measureSending, type Parts, type Rounds } from './sending.ts';
import type { SendingDone } from './sending-figures.ts';

/** Sends a broadcast to everybody who is registered, measured, to its end or as far as the time goes. */
export async function sendTo(
  setting: Setting,
  parts: Parts,
  { webinar, ...rounds }: Rounds & { readonly webinar: string },
): Promise<{ done: SendingDone; broadcast: string }> {
  const { people, until } = rounds;
  tell(`sending to ${people} beside others`);
  const oursSoFar = async (): Promise<number> =>
    (await parts.sink.state()).messages - (await sentByRivals(parts.rivals));
  const before = await oursSoFar();
  const broadcast = await newDraft(setting, webinar);
  const sending = await measureSending(() => sendNow(setting, broadcast, parts.service), parts, rounds);
  const { sent, other, status } = await untilSent(setting, broadcast, until);
  const taken = (await oursSoFar()) - before;
  return { done: { ...sending, people, sent, other, taken, isOver: status === 'sent' }, broadcast };
}
