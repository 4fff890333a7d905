import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../database/pool.ts';
import type { ServiceParts } from '../../database/service-work.ts';
import type { Clock } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { findByReceipt } from './find-by-receipt.ts';
import { noteInboundText } from './note-inbound-text.ts';
import { noteReceipt, type Heard } from './note-receipt.ts';
import type { SmppOptions } from './providers/smpp.ts';

/** The text a receipt is about is not in the ledger, or not yet. */
class UnknownReceipt extends Error {
  override readonly name = 'UnknownReceipt';
}

const looksMs = [0, 200, 600, 1_200];
const patienceMs = 5 * 60_000;
const mostUnknown = 10_000;

/**
 * What comes in over SMPP. A receipt may be faster than the window its text went out in is written down: it is looked
 * for a few times, then refused, so that the SMSC brings it again. One that nobody knows after minutes is taken, or it
 * would come for ever: of a text that became uncertain because its answer was lost, or of somebody else's.
 */
export function hearTexts(
  database: Database,
  parts: ServiceParts,
  clock: Clock,
): Pick<SmppOptions, 'onReceipt' | 'onText'> {
  const firstSeen = new Map<string, number>();
  const heard = (): Heard => {
    const now = clock.now();
    return { now, requestId: newId(now) };
  };
  const find = async (receipt: string) => {
    for (const ms of looksMs) {
      await pause(ms);
      const found = await findByReceipt(database, receipt);
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
