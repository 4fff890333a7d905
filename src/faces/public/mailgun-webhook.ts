import type { FastifyInstance } from 'fastify';
import { Failure } from '../../kernel/failure.ts';
import { readMailgunEvent } from './mailgun-notices.ts';
import { mailgunSignatures } from './mailgun-signature.ts';
import type { FindReportingRoute } from './reporting-route.ts';
import { takeReport, unsigned, type ReportParts } from './take-report.ts';

/** What Mailgun says of messages. */
export function serveMailgun(app: FastifyInstance, parts: ReportParts, findRoute: FindReportingRoute): void {
  // By signing key: one account cannot have the tokens of another forgotten.
  const byKey = new Map<string, ReturnType<typeof mailgunSignatures>>();
  const signaturesOf = (key: string): ReturnType<typeof mailgunSignatures> => {
    const signatures = byKey.get(key) ?? mailgunSignatures(key);
    byKey.set(key, signatures);
    return signatures;
  };
  app.post(
    '/webhooks/mailgun',
    { config: { operation: 'mailgun_webhook', face: 'public' } },
    async (request, reply) => {
      const { route, mailgunSigningKey: key } = await findRoute(request, 'mailgunSigningKey');
      const body = readJson(String(request.body));
      const now = parts.clock.now();
      const signatures = key === undefined ? undefined : signaturesOf(key);
      const judged = signatures?.judge(body['signature'], now) ?? 'bad';
      if (judged === 'bad') throw unsigned('The signature is not right, or older than five minutes.');
      // The first request with this token has been acted on.
      if (judged === 'used') return reply.send({ ok: true });
      const event = readMailgunEvent(body['event-data']);
      if (event?.notice !== undefined)
        await takeReport(parts, {
          named: event.named,
          notice: event.notice,
          route,
          actor: 'mailgun',
          requestId: request.id,
        });
      signatures?.remember(body['signature'], now);
      return reply.send({ ok: true });
    },
  );
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
