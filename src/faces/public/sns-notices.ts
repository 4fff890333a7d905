import { z } from 'zod';
import { bounceClass } from '../../domain/delivery/ledger/bounce-class.ts';
import type { Notice } from '../../domain/delivery/inbound/take-notice.ts';

const text = z.string().optional();
// Each is a transaction. A message of ours has one recipient, but whoever holds a topic publishes what they like to it.
const mostRecipients = 10;
const Recipients = z
  .array(z.object({ status: text, diagnosticCode: text }))
  .catch([])
  .transform((all) => all.slice(0, mostRecipients));

/** What SES says of a message, as notifications (`notificationType`) and as published events (`eventType`). */
const SesEvent = z.object({
  notificationType: text,
  eventType: text,
  mail: z.object({
    source: text,
    headers: z.array(z.object({ name: z.string(), value: z.string() })).catch([]),
    commonHeaders: z.object({ messageId: text }).optional().catch(undefined),
  }),
  bounce: z.object({ bounceType: text, bounceSubType: text, bouncedRecipients: Recipients }).optional(),
  complaint: z.object({ complaintFeedbackType: z.string().nullish() }).optional(),
  deliveryDelay: z.object({ delayType: text, delayedRecipients: Recipients }).optional(),
});

type Bounce = NonNullable<z.output<typeof SesEvent>['bounce']>;

export interface SesNotices {
  /** Where our token may be. SES gives messages an id of its own and keeps ours among the headers. */
  readonly named: readonly (string | undefined)[];
  readonly notices: readonly Notice[];
}

/** Undefined for what is no event, such as the sentence SES sends when a topic is set up. */
export function readSesEvent(message: string): SesNotices | undefined {
  let json: unknown;
  try {
    json = JSON.parse(message);
  } catch {
    return undefined;
  }
  const event = SesEvent.safeParse(json).data;
  if (event === undefined) return undefined;
  const { source, headers, commonHeaders } = event.mail;
  const messageId = headers.find(({ name }) => name.toLowerCase() === 'message-id')?.value;
  return { named: [source, messageId, commonHeaders?.messageId], notices: noticesOf(event) };
}

function noticesOf(event: z.output<typeof SesEvent>): Notice[] {
  switch (event.eventType ?? event.notificationType) {
    case 'Bounce':
      return bounces(event.bounce);
    case 'Complaint':
      return event.complaint?.complaintFeedbackType === 'not-spam' ? [] : [{ what: 'complained' }];
    case 'Delivery':
      return [{ what: 'delivered' }];
    case 'DeliveryDelay':
      return (event.deliveryDelay?.delayedRecipients ?? []).map((told) => ({
        what: 'deferred',
        ...words(told),
      }));
    default:
      return [];
  }
}

// SES knows the address to be dead, or will not write to it for what happened earlier.
const dead = new Set(['NoEmail', 'Suppressed', 'OnAccountSuppressionList']);

/** The receiving server's reply decides. SES calls every 5xx permanent, even one refused because of the sender. */
function bounces(bounce: Bounce | undefined): Notice[] {
  if (bounce === undefined) return [];
  const isDead = bounce.bounceType === 'Permanent' && dead.has(bounce.bounceSubType ?? '');
  return bounce.bouncedRecipients.map((told) => {
    const said = words(told);
    const judged = bounceClass(said);
    const soft = bounce.bounceType !== 'Permanent' && judged === 'hard';
    return { what: 'bounced', bounceClass: isDead ? 'hard' : soft ? 'soft' : judged, ...said };
  });
}

const words = ({
  status,
  diagnosticCode,
}: {
  status?: string | undefined;
  diagnosticCode?: string | undefined;
}) => ({
  ...(status !== undefined && { code: status }),
  ...(diagnosticCode !== undefined && { reply: diagnosticCode.replace(/^[\w.-]+\s*;\s*/, '') }),
});
