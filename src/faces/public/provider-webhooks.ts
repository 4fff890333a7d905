import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/pool.ts';
import type { ServiceParts } from '../../database/service-work.ts';
import { findMessage } from '../../domain/delivery/ledger/find-message.ts';
import { HandOverPending, takeNotice } from '../../domain/delivery/inbound/take-notice.ts';
import { unsubscribe } from '../../domain/tracking/unsubscribe.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';
import { readMailgunEvent, type MailgunFeedback } from './mailgun-notices.ts';
import { mailgunSignatures } from './mailgun-signature.ts';
import { isCertificateUrl, isConfirmUrl } from './sns-address.ts';
import { fetchSmall, signingKeys, type Fetch, type SigningKeys } from './sns-certificate.ts';
import { isSigned, readSnsMessage, type SnsMessage } from './sns-message.ts';
import { readSesEvent } from './sns-notices.ts';

export interface WebhookParts extends ServiceParts {
  readonly database: Database;
  readonly clock: Clock;
  /** The topics SES publishes to; without any, the route for SES does not exist. */
  readonly sesTopicArns: readonly string[];
  /** Without it, the route for Mailgun does not exist. */
  readonly mailgunSigningKey: string | undefined;
  readonly fetch?: Fetch;
  readonly roots?: SigningKeys['roots'];
}

const largestBody = 1024 * 1024;

/** What providers report about messages. A route that is not configured does not exist. */
export async function serveProviderWebhooks(app: FastifyInstance, parts: WebhookParts): Promise<void> {
  await app.register((scope, _options, done) => {
    // SNS calls its JSON text/plain.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: largestBody }, (_request, body, read) =>
      read(null, body),
    );
    if (parts.sesTopicArns.length > 0) serveSes(scope, parts);
    if (parts.mailgunSigningKey !== undefined) serveMailgun(scope, parts, parts.mailgunSigningKey);
    done();
  });
}

function serveSes(app: FastifyInstance, parts: WebhookParts): void {
  const ask: Fetch = parts.fetch ?? fetch;
  const keyOf = signingKeys({ fetch: ask, roots: parts.roots });
  app.post(
    '/webhooks/ses',
    { config: { operation: 'ses_webhook', face: 'public' } },
    async (request, reply) => {
      const message = readSnsMessage(String(request.body));
      if (message === undefined) throw new Failure('invalid_request', 'This is not a message of SNS.');
      await requireAmazon(parts, message, keyOf);
      if (message.Type === 'SubscriptionConfirmation') await confirm(ask, message);
      const event = message.Type === 'Notification' ? readSesEvent(message.Message) : undefined;
      for (const notice of event?.notices ?? []) await take(parts, event!.named, notice, 'ses', request.id);
      return reply.send({ ok: true });
    },
  );
}

/** Makes every check that needs no request before it fetches the certificate. */
async function requireAmazon(
  { sesTopicArns, clock }: WebhookParts,
  message: SnsMessage,
  keyOf: ReturnType<typeof signingKeys>,
): Promise<void> {
  if (message.SignatureVersion !== '2')
    throw unsigned('Set SignatureVersion 2 on the topic: version 1 signs with SHA-1.');
  if (!sesTopicArns.includes(message.TopicArn)) throw unsigned('This topic is not one of SES_TOPIC_ARNS.');
  if (!isCertificateUrl(message.SigningCertURL, message.TopicArn))
    throw unsigned("The certificate is not where SNS keeps it in the topic's region.");
  const key = await keyOf(message.SigningCertURL, clock.now()).catch(() => {
    throw later('The certificate of SNS cannot be had right now.');
  });
  if (!isSigned(message, key)) throw unsigned('The signature is not right.');
}

/** Confirms a subscription by calling the address in the signed message, which must still be an address of SNS. */
async function confirm(ask: Fetch, { SubscribeURL = '', TopicArn }: SnsMessage): Promise<void> {
  if (!isConfirmUrl(SubscribeURL, TopicArn))
    throw new Failure('invalid_request', 'The address to confirm at is not one of SNS.');
  await fetchSmall(ask, SubscribeURL).catch(() => {
    throw later('SNS could not be told that the subscription is wanted.');
  });
}

function serveMailgun(app: FastifyInstance, parts: WebhookParts, signingKey: string): void {
  const signatures = mailgunSignatures(signingKey);
  app.post(
    '/webhooks/mailgun',
    { config: { operation: 'mailgun_webhook', face: 'public' } },
    async (request, reply) => {
      const body = readJson(String(request.body));
      const now = parts.clock.now();
      const judged = signatures.judge(body['signature'], now);
      if (judged === 'bad') throw unsigned('The signature is not right, or older than five minutes.');
      // The first request with this token has been acted on.
      if (judged === 'used') return reply.send({ ok: true });
      const event = readMailgunEvent(body['event-data']);
      if (event?.notice !== undefined) await take(parts, event.named, event.notice, 'mailgun', request.id);
      signatures.remember(body['signature'], now);
      return reply.send({ ok: true });
    },
  );
}

async function take(
  parts: WebhookParts,
  named: readonly (string | undefined)[],
  notice: MailgunFeedback,
  actor: string,
  requestId: string,
): Promise<void> {
  // The provider's account may also send mail that is not the service's.
  const message = findMessage(parts.keys, named);
  if (message === undefined) return;
  const { org, delivery } = message;
  const now = parts.clock.now();
  try {
    if (notice.what === 'unsubscribed')
      await unsubscribe(
        parts.database,
        parts,
        { org, now, actor: 'unsubscribe', requestId },
        { delivery, itself: false },
      );
    else await takeNotice(parts.database, parts, { message, notice, now, actor, requestId });
  } catch (error) {
    throw error instanceof HandOverPending ? later('The message is being handed over.') : error;
  }
}

function readJson(text: string): Record<string, unknown> {
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json === 'object' && json !== null) return json as Record<string, unknown>;
  } catch {
    // The error below covers it.
  }
  throw new Failure('malformed_json', 'The body could not be read as a JSON object.');
}

const unsigned = (detail: string): Failure => new Failure('unauthenticated', detail);
const later = (detail: string): Failure => new Failure('unavailable', detail, { retryAfterSeconds: 30 });
