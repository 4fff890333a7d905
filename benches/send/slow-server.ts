import type { Figure } from '../support/figure.ts';
import { newWebinar, type Setting } from './arrange.ts';
import { sendTo } from './send-to.ts';
import type { Parts } from './sending.ts';
import { slowServerFigures } from './sending-figures.ts';
import { connections } from './service.ts';

const replyMs = 25;
const mostMs = 120_000;

/** Sends to a server that takes its time for each reply, as one that is not next door does. */
export async function toSlowServer(
  setting: Setting,
  parts: Parts,
  { people, ...rounds }: { readonly people: number; readonly count: number; readonly turns: number },
  bar: number,
): Promise<Figure[]> {
  const webinar = await newWebinar(setting, people);
  await parts.sink.think(replyMs);
  const until = Date.now() + mostMs;
  const { done } = await sendTo(setting, parts, { webinar, people, every: people, ...rounds, until });
  await parts.sink.think(0);
  return slowServerFigures(done, connections / (replyMs / 1000), bar);
}
