import { setTimeout as pause } from 'node:timers/promises';
import type { Service } from '../send/service.ts';
import { tell } from '../support/command.ts';
import { exactly, told, type Figure } from '../support/figure.ts';
import type { Sink } from '../support/start-sink.ts';
import { reminders } from './reminders.ts';
import { becomeDue, inLedger, untilAll, type Waiting } from './waiting.ts';

const [first] = reminders;

/** The whole service, to a mail server that takes everything: released by the engine's alarm, and sent at once. */
export async function serving(
  waiting: Waiting,
  { service, sink }: { readonly service: Service; readonly sink: Sink },
  minutes: number,
): Promise<Figure[]> {
  const { count } = waiting;
  tell(`${count} waits come due in the whole service`);
  const before = (await sink.state()).messages;
  await becomeDue(waiting, first);
  await service.rearm();
  const begun = await firstAdded(waiting);
  const added = await untilAll(waiting, first, 'added');
  const { sent: meanwhile } = await inLedger(waiting, first);
  const sent = await untilAll(waiting, first, 'sent', minutes * 60_000);
  const { messages } = await sink.state();
  const rate = ({ ms, count: reached }: typeof sent, from: number): number => ((reached - from) / ms) * 1000;
  return [
    told(`waits released a second in the whole service, ${count}`, rate(added, begun)),
    exactly('  messages in the ledger', added.count, count),
    told('  sent by when all were released', meanwhile, count),
    told('  sent a second from then on', rate(sent, meanwhile)),
    ...(sent.count === count
      ? [
          exactly('  sent, by the ledger', sent.count, count),
          exactly('  taken by the mail server', messages - before, count),
        ]
      : [told('  sent by the end of the time, of', sent.count, count)]),
  ];
}

/** How many there are when the engine has told the handlers, and the first come into the ledger. */
async function firstAdded(waiting: Waiting): Promise<number> {
  for (;;) {
    const { added } = await inLedger(waiting, first);
    if (added > 0) return added;
    await pause(5);
  }
}
