import type { FastifyInstance } from 'fastify';
import { Failure } from '../../kernel/failure.ts';
import type { FindReportingRoute } from './reporting-route.ts';
import { isCertificateUrl, isConfirmUrl } from './sns-address.ts';
import { fetchSmall, signingKeys, type Fetch, type SigningKeys } from './sns-certificate.ts';
import { isSigned, readSnsMessage, type SnsMessage } from './sns-message.ts';
import { readSesEvent } from './sns-notices.ts';
import { later, takeReport, unsigned, type ReportParts } from './take-report.ts';

/** What SES publishes to topics of SNS. */
export function serveSes(
  app: FastifyInstance,
  parts: ReportParts,
  findRoute: FindReportingRoute,
  sns: SigningKeys,
): void {
  const keyOf = signingKeys(sns);
  app.post(
    '/webhooks/ses',
    { config: { operation: 'ses_webhook', face: 'public' } },
    async (request, reply) => {
      const message = readSnsMessage(String(request.body));
      const { route, sesTopicArns } = await findRoute(request, 'sesTopicArns');
      if (message === undefined) throw new Failure('invalid_request', 'This is not a message of SNS.');
      requireTopic(message, sesTopicArns);
      await requireAmazon(message, keyOf, parts.clock.now());
      if (message.Type === 'SubscriptionConfirmation') await confirm(sns.fetch, message);
      const event = message.Type === 'Notification' ? readSesEvent(message.Message) : undefined;
      for (const notice of event?.notices ?? [])
        await takeReport(parts, {
          named: event!.named,
          notice,
          route,
          actor: 'ses',
          requestId: request.id,
        });
      return reply.send({ ok: true });
    },
  );
}

/** Makes every check that needs no request before the certificate is fetched. */
function requireTopic(message: SnsMessage, topicArns: readonly string[]): void {
  if (message.SignatureVersion !== '2')
    throw unsigned('Set SignatureVersion 2 on the topic: version 1 signs with SHA-1.');
  if (!topicArns.includes(message.TopicArn))
    throw unsigned('This topic is not one of SES_TOPIC_ARNS of this route.');
  if (!isCertificateUrl(message.SigningCertURL, message.TopicArn))
    throw unsigned("The certificate is not where SNS keeps it in the topic's region.");
}

async function requireAmazon(
  message: SnsMessage,
  keyOf: ReturnType<typeof signingKeys>,
  now: Date,
): Promise<void> {
  const key = await keyOf(message.SigningCertURL, now).catch(() => {
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
