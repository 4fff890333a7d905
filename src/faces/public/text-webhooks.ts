import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Database } from '../../database/pool.ts';
import type { ServiceParts } from '../../database/service-work.ts';
import { readToken } from '../../domain/delivery/delivery-token.ts';
import { noteInboundText } from '../../domain/delivery/note-inbound-text.ts';
import { noteReceipt, type ReceiptNews } from '../../domain/delivery/note-receipt.ts';
import { optedOutCode, twilioClass } from '../../domain/delivery/providers/twilio-answer.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';
import { readForms } from './form-body.ts';
import { isSignedByTwilio } from './text-webhooks-signature.ts';

export interface TextWebhookParts extends ServiceParts {
  readonly database: Database;
  readonly clock: Clock;
  /** Without it, Twilio is not listened to. */
  readonly twilioAuthToken: string | undefined;
}

const nothingToSay = '<?xml version="1.0" encoding="UTF-8"?><Response/>';

/** What Twilio tells: what became of a text, and what people write back. A route that is not configured does not exist. */
export async function serveTextWebhooks(app: FastifyInstance, parts: TextWebhookParts): Promise<void> {
  const { database, clock, keys, mail, twilioAuthToken } = parts;
  if (twilioAuthToken === undefined) return;
  const formOf = (request: FastifyRequest): URLSearchParams => {
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    const signature = request.headers['x-twilio-signature'];
    // By the address Twilio was given; what stands between it and us may have changed the one we see.
    const url = mail.publicUrl + request.url;
    if (typeof signature !== 'string' || !isSignedByTwilio(twilioAuthToken, signature, url, form)) {
      throw new Failure('forbidden', 'This was not signed by Twilio for PUBLIC_URL with TWILIO_AUTH_TOKEN.');
    }
    return form;
  };
  const heard = (request: FastifyRequest) => ({ now: clock.now(), requestId: request.id });

  await app.register((scope, _options, done) => {
    readForms(scope);
    scope.post<{ Params: { token: string } }>(
      '/webhooks/twilio/status/:token',
      { config: { face: 'public', operation: 'twilio_status' } },
      async (request, reply) => {
        const form = formOf(request);
        const message = readToken(keys, 'receipt', request.params.token);
        if (message === undefined) throw new Failure('not_found', 'This is the token of no text.');
        const news = newsOf(form);
        if (news !== undefined) await noteReceipt(database, parts, message, news, heard(request));
        return reply.code(204).send();
      },
    );
    scope.post(
      '/webhooks/twilio/inbound',
      { config: { face: 'public', operation: 'twilio_inbound' } },
      async (request, reply) => {
        const form = formOf(request);
        const text = {
          from: form.get('From') ?? '',
          to: form.get('To') ?? '',
          body: form.get('Body') ?? '',
          optedOut: form.get('OptOutType') === 'STOP',
        };
        await noteInboundText(database, parts, text, heard(request));
        return reply.type('text/xml').send(nothingToSay);
      },
    );
    done();
  });
}

/** Nothing for what is still under way: queued, sending, sent. */
function newsOf(form: URLSearchParams): ReceiptNews | undefined {
  const status = form.get('MessageStatus');
  const code = form.get('ErrorCode') ?? undefined;
  if (status === 'delivered' || status === 'read') return { outcome: 'delivered' };
  if (status !== 'undelivered' && status !== 'failed') return undefined;
  return { outcome: 'failed', bounceClass: twilioClass(code), code, optedOut: code === optedOutCode };
}
