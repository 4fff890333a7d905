import type { Figure } from '../support/figure.ts';
import { newWebinar, type Setting } from './arrange.ts';
import { sendTo } from './send-to.ts';
import type { Parts, Rounds } from './sending.ts';
import { unsignedFigures } from './sending-figures.ts';
import { sendFew } from './warm-up.ts';

/** The same with handlers that leave the signature to the mail server. */
export async function unsigned(
  setting: Setting,
  parts: Parts,
  rounds: Rounds,
  bars: { readonly rate?: number; readonly ms?: number },
): Promise<Figure[]> {
  await parts.service.restartHandlers({ SMTP_DKIM: 'server' });
  await sendFew(setting, parts.service);
  const webinar = await newWebinar(setting, rounds.people);
  const { done } = await sendTo(setting, parts, { webinar, ...rounds });
  return unsignedFigures(done, bars);
}
