import type { Pdu } from 'smpp';
import type { BounceClass } from '../../ledger/bounce-class.ts';

/** An SMSC's report on a text it accepted. */
export interface SmppReceipt {
  /** The message id that the SMSC gave the text. */
  readonly receipt: string;
  readonly news:
    | { readonly outcome: 'delivered' }
    | { readonly outcome: 'failed'; readonly bounceClass: BounceClass; readonly code: string };
}

export interface SmppText {
  readonly from: string;
  readonly to: string;
  readonly body: string;
}

export type Inbound =
  | ({ readonly kind: 'receipt' } & SmppReceipt)
  | ({ readonly kind: 'text' } & SmppText)
  /** A receipt for a text still under way, a part of a long text, or bytes that are no text. */
  | { readonly kind: 'nothing' };

// In the order of their numbers in the parameter message_state.
const states = ['', 'ENROUTE', 'DELIVRD', 'EXPIRED', 'DELETED', 'UNDELIV', 'ACCEPTD', 'UNKNOWN', 'REJECTD'];

// REJECTD is about the sender or the content. The error codes beside UNDELIV differ by network, so none makes a bounce
// hard but the one that all networks took from GSM: 1, unknown subscriber.
const failures: Readonly<Record<string, BounceClass>> = {
  EXPIRED: 'soft',
  DELETED: 'soft',
  UNDELIV: 'soft',
  REJECTD: 'policy',
};

/** Reads a deliver_sm: the parameters of version 3.4 if present, else the text that older versions use. */
export function readInbound(pdu: Pdu): Inbound {
  const content = pdu.short_message?.message.length ? pdu.short_message : pdu.message_payload;
  const message = content?.message ?? '';
  const words = typeof message === 'string' ? message : '';
  const isReceipt = ((pdu.esm_class ?? 0) & 0x3c) === 0x04 || pdu.receipted_message_id !== undefined;
  if (isReceipt) return readReceipt(pdu, message.toString('latin1'));
  const from = fromNetwork(pdu.source_addr, pdu.source_addr_ton);
  const to = fromNetwork(pdu.destination_addr, pdu.dest_addr_ton);
  if (from === undefined || to === undefined || isPart(pdu) || words === '') return { kind: 'nothing' };
  return { kind: 'text', from, to, body: words };
}

function readReceipt(pdu: Pdu, words: string): Inbound {
  const receipt = pdu.receipted_message_id?.replace(/\0+$/, '') ?? /\bid:\s*(\S+)/i.exec(words)?.[1];
  const said = /\bstat:\s*([a-z]+)/i.exec(words)?.[1]?.toUpperCase();
  const state = states[pdu.message_state ?? 0] || said;
  if (receipt === undefined || receipt === '' || state === undefined) return { kind: 'nothing' };
  if (state === 'DELIVRD') return { kind: 'receipt', receipt, news: { outcome: 'delivered' } };
  const bounceClass = failures[state];
  if (bounceClass === undefined) return { kind: 'nothing' };
  const error = /\berr:\s*(\w+)/i.exec(words)?.[1];
  const unknown = state === 'UNDELIV' && error !== undefined && /^0*1$/.test(error);
  const code = error === undefined ? state : `${state} ${error}`;
  return {
    kind: 'receipt',
    receipt,
    news: { outcome: 'failed', bounceClass: unknown ? 'hard' : bounceClass, code },
  };
}

/** A text longer than one message is no stop, though its last part might look like one. */
const isPart = ({ short_message, message_payload, sar_total_segments = 1 }: Pdu): boolean =>
  sar_total_segments > 1 ||
  (short_message?.udh ?? message_payload?.udh ?? []).some(
    (element) => (element[0] === 0 && element[3]! > 1) || (element[0] === 8 && element[4]! > 1),
  );

/** Networks omit the plus, regardless of the type of number they state. Type 5 is a name, not a number. */
function fromNetwork(address: string | undefined, ton: number | undefined): string | undefined {
  const digits = address?.replace(/^(\+|00)/, '') ?? '';
  return ton !== 5 && /^[1-9]\d{6,14}$/.test(digits) ? `+${digits}` : undefined;
}
