import { z } from 'zod';
import type { BounceClass } from '../../ledger/bounce-class.ts';
import type { HandOver } from '../../outgoing/outgoing.ts';

const Taken = z.object({ sid: z.string().max(64), status: z.string().optional() });
const Refused = z.object({ code: z.int().optional(), message: z.string().optional() });

/** The recipient answered STOP to this number before. */
export const optedOutCode = '21610';

// Too many requests, or too much in the queue of this number.
const passing = new Set(['20429', '21611', '14107', '30001']);
// A gateway that got no answer, or none it could read, cannot say what became of the text.
const gateways = new Set([502, 504]);

/** What an answer to a new message says. */
export function readTwilioAnswer(status: number, body: string): HandOver {
  if (status >= 200 && status < 300) {
    const taken = Taken.safeParse(parse(body));
    if (!taken.success) return { outcome: 'sent', reply: String(status) };
    return {
      outcome: 'sent',
      reply: `${status} ${taken.data.status ?? ''}`.trimEnd(),
      receipt: taken.data.sid,
    };
  }
  const { code: number, message = '' } = Refused.safeParse(parse(body)).data ?? {};
  const code = number === undefined ? undefined : String(number);
  const reply = [status, code, withoutNumbers(message)]
    .filter((word) => word !== undefined && word !== '')
    .join(' ');
  if (gateways.has(status)) return { outcome: 'uncertain', reply };
  // The account is closed or its password is wrong: that must not count against the recipient.
  if (status === 401 || status === 403 || status === 404) return { outcome: 'unreached', reply };
  if (status < 400 || status === 429 || status >= 500 || (code !== undefined && passing.has(code))) {
    return { outcome: 'deferred', code, reply };
  }
  return { outcome: 'refused', code, reply, ...(code === optedOutCode && { optedOut: true }) };
}

// Error codes of status callbacks. 30005 and 30006: the number is unassigned, or takes no texts. 30004, 30007, 30032,
// 30034: blocked by the recipient's network or because of who we are. Any other may be temporary.
const classes: Readonly<Record<string, BounceClass>> = {
  21211: 'hard',
  21614: 'hard',
  30005: 'hard',
  30006: 'hard',
  30004: 'policy',
  30007: 'policy',
  30032: 'policy',
  30034: 'policy',
};

export const twilioClass = (code: string | undefined): BounceClass => classes[code ?? ''] ?? 'soft';

/** Twilio quotes the recipient's number in its sentences. */
const withoutNumbers = (message: string): string =>
  message.replaceAll(/\+?\d[\d ().-]{5,}\d/g, '…').slice(0, 300);

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
