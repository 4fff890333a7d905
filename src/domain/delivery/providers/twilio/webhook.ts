import type { ReceiptNews } from '../../inbound/note-receipt.ts';
import type { TextWayBack } from '../../outgoing/text-provider.ts';
import { optedOutCode, twilioClass } from './answer.ts';
import { isSignedByTwilio } from './signature.ts';

const nothingToSay = '<?xml version="1.0" encoding="UTF-8"?><Response/>';

/** What Twilio reports: receipts and inbound texts. */
export const twilioWebhook: TextWayBack<'TWILIO_AUTH_TOKEN'> = {
  by: 'webhook',
  takes: 'application/x-www-form-urlencoded',
  isSigned: ({ headers, url, body }, { TWILIO_AUTH_TOKEN }) => {
    const signature = headers['x-twilio-signature'];
    return (
      typeof signature === 'string' &&
      isSignedByTwilio(TWILIO_AUTH_TOKEN, signature, url, new URLSearchParams(body))
    );
  },
  unsigned: 'This was not signed by Twilio for PUBLIC_URL with TWILIO_AUTH_TOKEN.',
  routes: [
    {
      path: '/webhooks/twilio/status/:token',
      operation: 'twilio_status',
      about: 'receipt',
      read: (body) => newsOf(new URLSearchParams(body)),
      answer: { status: 204 },
    },
    {
      path: '/webhooks/twilio/inbound',
      operation: 'twilio_inbound',
      about: 'text',
      read: (body) => {
        const form = new URLSearchParams(body);
        return {
          from: form.get('From') ?? '',
          to: form.get('To') ?? '',
          body: form.get('Body') ?? '',
          optedOut: form.get('OptOutType') === 'STOP',
        };
      },
      answer: { status: 200, type: 'text/xml', body: nothingToSay },
    },
  ],
};

/** Undefined while the text is under way: queued, sending, sent. */
function newsOf(form: URLSearchParams): ReceiptNews | undefined {
  const status = form.get('MessageStatus');
  const code = form.get('ErrorCode') ?? undefined;
  if (status === 'delivered' || status === 'read') return { outcome: 'delivered' };
  if (status !== 'undelivered' && status !== 'failed') return undefined;
  return { outcome: 'failed', bounceClass: twilioClass(code), code, optedOut: code === optedOutCode };
}
