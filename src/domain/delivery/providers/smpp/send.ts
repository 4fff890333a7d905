import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import smpp, { type Pdu } from 'smpp';
import { slots } from '../../../../kernel/slots.ts';
import type { HandOver, OutgoingText, TextProvider } from '../../outgoing/outgoing.ts';
import { readInbound, type SmppReceipt, type SmppText } from './inbound.ts';
import { notBound, openLink, type LinkOptions } from './link.ts';
import { textParts, type TextPart } from './parts.ts';

export interface SmppOptions extends Omit<LinkOptions, 'onDeliver'> {
  /** The SMSC repeats a report until its callback resolves. */
  readonly onReceipt: (receipt: SmppReceipt) => Promise<void>;
  readonly onText: (text: SmppText) => Promise<void>;
  /** Unanswered messages allowed at a time. */
  readonly window?: number;
  /** How long a message waits for a session, for a place in the window, and in total. */
  readonly bindWaitMs?: number;
  readonly placeMs?: number;
  readonly sendMs?: number;
}

export const smppLimits = { atOnce: 10, giveUpMs: 20_000 };
const nameOf = new Map(Object.entries(smpp.errors).map(([name, status]) => [status, name]));
const tryLater = 0x64; // ESME_RX_T_APPN
// The SMSC's queue is full, it is throttling, or it has a system error.
const passing = new Set(['ESME_RTHROTTLED', 'ESME_RMSGQFUL', 'ESME_RSYSERR', 'ESME_RX_T_APPN']);
const throttleMs = 500;
const receiptsAtOnce = 8;

/**
 * Sends texts over SMPP 3.4, through one session bound as transceiver. Receipts name a text by the message id that
 * answered submit_sm; of a long text only the last part requests a receipt, which stands for the whole.
 */
export function smppProvider(options: SmppOptions): TextProvider {
  const { onReceipt, onText, onTrouble, window = smppLimits.atOnce } = options;
  const { bindWaitMs = 5_000, placeMs = 8_000, sendMs = smppLimits.giveUpMs } = options;
  const link = openLink({
    ...options,
    onDeliver: async (pdu) => {
      try {
        const inbound = readInbound(pdu);
        if (inbound.kind === 'receipt') await inTurn(() => onReceipt(inbound));
        if (inbound.kind === 'text') await onText(inbound);
        return 0;
      } catch (error) {
        onTrouble(`what was delivered could not be taken: ${(error as Error).name}`);
        return tryLater;
      }
    },
  });
  const places = slots(window);
  // Receipts arrive as fast as texts go out, and each queries the database; a stop does not wait for them.
  const turns = slots(receiptsAtOnce);
  const patient = new AbortController().signal;
  const inTurn = async (take: () => Promise<void>): Promise<void> => {
    await turns.take('receipts', patient);
    await take().finally(() => turns.free('receipts'));
  };
  const underWay = new Set<Promise<HandOver>>();
  let reference = randomInt(256);

  const submit = async (message: OutgoingText, part: TextPart, isLast: boolean, signal: AbortSignal) => {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(placeMs)]);
    if (!(await places.take(message.org, patience))) return 'unsent' as const;
    try {
      message.onLeaving?.();
      return await link.submit(
        {
          source_addr: message.from.slice(1),
          source_addr_ton: 1,
          source_addr_npi: 1,
          destination_addr: message.to.slice(1),
          dest_addr_ton: 1,
          dest_addr_npi: 1,
          esm_class: part.esm_class,
          data_coding: part.data_coding,
          registered_delivery: isLast ? 1 : 0,
          short_message: part.bytes,
        },
        signal,
      );
    } finally {
      places.free(message.org);
    }
  };

  const send = async (message: OutgoingText): Promise<HandOver> => {
    if (!(await link.bound(bindWaitMs))) return { outcome: 'unreached', reply: 'no session is bound' };
    const parts = textParts(message.body, reference++);
    const signal = AbortSignal.timeout(sendMs);
    for (let at = 0; ;) {
      const isLast = at === parts.length - 1;
      const answer = await submit(message, parts[at]!, isLast, signal);
      const taken = judge(answer);
      if (taken.outcome === 'sent') {
        if (isLast) return taken;
        at++;
      } else if (at === 0 || taken.outcome === 'refused') return taken;
      else if (taken.outcome !== 'deferred' || signal.aborted) {
        // The SMSC has some parts already: a retry from the first would deliver those twice.
        return { outcome: 'uncertain', reply: `after part ${at} of ${parts.length}: ${taken.reply}` };
      } else await pause(throttleMs);
    }
  };

  return {
    name: 'smpp',
    send: (message) => {
      const sending = send(message).finally(() => underWay.delete(sending));
      underWay.add(sending);
      return sending;
    },
    close: async () => {
      await Promise.all(underWay);
      await link.close();
    },
  };
}

function judge(answer: Pdu | 'unsent' | 'lost'): HandOver {
  if (answer === 'unsent') return { outcome: 'unreached', reply: 'no session is bound' };
  if (answer === 'lost') return { outcome: 'uncertain', reply: 'no answer came' };
  const { command_status, message_id = '' } = answer;
  if (command_status === 0) {
    return { outcome: 'sent', reply: 'ESME_ROK', ...(message_id !== '' && { receipt: message_id }) };
  }
  const hex = `0x${command_status.toString(16).padStart(8, '0')}`;
  const code = nameOf.get(command_status) ?? hex;
  if (command_status === notBound) return { outcome: 'unreached', reply: code };
  return { outcome: passing.has(code) ? 'deferred' : 'refused', code, reply: `${code} (${hex})` };
}
