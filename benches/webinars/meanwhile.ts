import { tell } from '../support/command.ts';
import { atMost, told, type Figure } from '../support/figure.ts';
import { load, type Load } from '../support/load.ts';
import { registrantsOf, toRest } from './registrants.ts';
import { clients } from './registering.ts';
import type { Releaser } from './releasing.ts';
import { reminders } from './reminders.ts';
import { becomeDue, untilAll, type Waiting } from './waiting.ts';

/** As many as register at once: enough to keep the machine busy by themselves, and few enough that nobody queues. */
const crowds = [clients, 2] as const;

/**
 * How long registering for a webinar takes while all its waits are being released, beside how long it takes when
 * nothing is. The same webinar: both go by one clock.
 */
export async function registeringMeanwhile(
  waiting: Waiting,
  releaser: Releaser,
  { url, seconds, bar }: { readonly url: string; readonly seconds: number; readonly bar: number },
): Promise<Figure[]> {
  const { setting, webinar, count } = waiting;
  const registrants = await registrantsOf(setting, webinar, 0);
  const register = (connections: number, until?: Promise<unknown>): Promise<Load> =>
    load({
      url,
      connections,
      seconds,
      next: () => toRest(registrants.next('new'), setting.org.secret),
      ...(until !== undefined && { until }),
    });
  await register(clients); // warms
  const figures: Figure[] = [];
  for (const [index, connections] of crowds.entries()) {
    const reminder = reminders[index]!;
    tell(`${connections} clients register, and then while ${count} waits are released`);
    const quiet = await register(connections);
    await becomeDue(waiting, reminder);
    const rung = releaser.ring(waiting);
    const released = untilAll(waiting, reminder, 'added');
    const busy = await register(connections, released);
    const { ms } = await released;
    await rung;
    const name = `register, ${connections} clients: p95 ms while waits are released, beside quiet`;
    figures.push(
      index === 0 ? atMost(name, busy.p95, quiet.p95, bar) : told(name, busy.p95, quiet.p95),
      told('  the same: p50 ms', busy.p50, quiet.p50),
      told('  the same: calls a second', busy.throughput, quiet.throughput),
      told('  waits released a second meanwhile', (count / ms) * 1000),
    );
  }
  return figures;
}
