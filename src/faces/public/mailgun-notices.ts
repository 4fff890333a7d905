import { z } from 'zod';
import { bounceClass } from '../../domain/delivery/ledger/bounce-class.ts';
import type { Notice } from '../../domain/delivery/inbound/take-notice.ts';

const text = z.string().optional().catch(undefined);

const MailgunEvent = z.object({
  event: z.string(),
  severity: text,
  reason: text,
  envelope: z.object({ sender: text }).optional().catch(undefined),
  message: z
    .object({ headers: z.object({ 'message-id': text }) })
    .optional()
    .catch(undefined),
  'delivery-status': z
    .object({
      code: z.union([z.number(), z.string()]).optional().catch(undefined),
      'enhanced-code': text,
      message: text,
      description: text,
    })
    .optional()
    .catch(undefined),
});

/** Beyond the notices of every provider: Mailgun may offer an unsubscribe link of its own. */
export type MailgunFeedback = Notice | { readonly what: 'unsubscribed' };

export interface MailgunNotice {
  readonly named: readonly (string | undefined)[];
  readonly notice: MailgunFeedback | undefined;
}

export function readMailgunEvent(event: unknown): MailgunNotice | undefined {
  const { data } = MailgunEvent.safeParse(event);
  if (data === undefined) return undefined;
  // The Message-ID comes without its angle brackets.
  return { named: [data.message?.headers['message-id'], data.envelope?.sender], notice: noticeOf(data) };
}

function noticeOf(event: z.output<typeof MailgunEvent>): MailgunFeedback | undefined {
  switch (event.event) {
    case 'delivered':
    case 'complained':
    case 'unsubscribed':
      return { what: event.event };
    case 'failed':
      return failureOf(event);
    default:
      return undefined;
  }
}

/** Mailgun itself refuses addresses that it suppresses after earlier messages, and names the reason. */
function failureOf(event: z.output<typeof MailgunEvent>): MailgunFeedback {
  const status = event['delivery-status'];
  const code = status?.['enhanced-code'] ?? status?.code?.toString();
  const reply = status?.message || status?.description;
  const told = { ...(code !== undefined && { code }), ...(reply !== undefined && { reply }) };
  if (event.reason === 'suppress-complaint') return { what: 'complained' };
  if (event.reason === 'suppress-unsubscribe') return { what: 'unsubscribed' };
  if (event.severity !== 'permanent') return { what: 'deferred', ...told };
  const known = event.reason === 'suppress-bounce';
  return { what: 'bounced', bounceClass: known ? 'hard' : bounceClass(told), ...told };
}
