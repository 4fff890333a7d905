import { tell } from '../support/command.ts';
import { newDraft, newWebinar, sendNow, type Setting } from './arrange.ts';
import { measureSending, type Parts, type Rounds } from './sending.ts';
import type { SendingDone } from './sending-figures.ts';
import { outcomeOf, untilSent } from './warm-up.ts';

/** Sends a broadcast to everybody of an organization, measured, to its end or as far as the time goes. */
export async function sendTo(
  setting: Setting,
  parts: Parts,
  rounds: Rounds,
): Promise<{ done: SendingDone; broadcast: string }> {
  const { people, until } = rounds;
  tell(`sending to ${people} beside nodemailer`);
  const oursSoFar = async (): Promise<number> =>
    (await parts.sink.state()).messages - (await parts.bare.rest());
  const before = await oursSoFar();
  const broadcast = await newDraft(setting, await newWebinar(setting, people));
  const begin = () => sendNow(setting, broadcast, parts.service);
  const sending = await measureSending(begin, parts, rounds);
  const isOver = Date.now() < until;
  if (isOver) await untilSent(setting, broadcast);
  const { sent, other } = await outcomeOf(setting, broadcast);
  return {
    done: { ...sending, people, sent, other, isOver, taken: (await oursSoFar()) - before },
    broadcast,
  };
}
