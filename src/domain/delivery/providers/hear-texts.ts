import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../../database/pool.ts';
import type { ServiceParts } from '../../../database/service-work.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/ids.ts';
import { findByReceipt } from '../ledger/find-by-receipt.ts';
import { noteInboundText } from '../inbound/note-inbound-text.ts';
import { noteReceipt, type InboundContext } from '../inbound/note-receipt.ts';
import type { TextHearing } from '../outgoing/text-provider.ts';

/** The text a receipt is about is not in the ledger, or not yet. */
class UnknownReceipt extends Error {
  override readonly name = 'UnknownReceipt';
}

const looksMs = [0, 200, 600, 1_200];
const patienceMs = 5 * 60_000;
const mostUnknown = 10_000;

/**
 * Handles what comes in over a provider's own connection, that of one route. A receipt may arrive before the window of its text is
 * recorded: it is looked up a few times, then refused, so that the provider repeats it. A receipt still unknown after
 * minutes is accepted, or it would come for ever: it is for a text that became uncertain because its answer was lost,
 * or for another system's.
 */
export function hearTexts(
  database: Database,
  parts: ServiceParts,
  clock: Clock,
  route: string,
): Pick<TextHearing, 'onReceipt' | 'onText'> {
  const firstSeen = new Map<string, number>();
  const heard = (): InboundContext => {
    const now = clock.now();
    return { now, requestId: newId(now), route };
  };
  const find = async (receipt: string) => {
    for (const ms of looksMs) {
      await pause(ms);
      const found = await findByReceipt(database, receipt, route);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return {
    onText: (text) => noteInboundText(database, parts, text, heard()),
    onReceipt: async ({ receipt, news }) => {
      const found = await find(receipt);
      if (found !== undefined) {
        firstSeen.delete(receipt);
        return noteReceipt(database, parts, found, news, heard());
      }
      const now = clock.now().getTime();
      const since = firstSeen.get(receipt) ?? now;
      firstSeen.delete(receipt);
      if (now - since >= patienceMs) return;
      const [oldest] = firstSeen.keys();
      if (firstSeen.size >= mostUnknown && oldest !== undefined) firstSeen.delete(oldest);
      firstSeen.set(receipt, since);
      throw new UnknownReceipt();
    },
  };
}
