import type { FastifyInstance } from 'fastify';
import { serveMailgun } from './mailgun-webhook.ts';
import { reportingRoute, type ReportSettings } from './reporting-route.ts';
import type { RouteReading } from './route-reader.ts';
import { serveSes } from './ses-webhook.ts';
import type { SigningKeys } from './sns-certificate.ts';
import type { ReportParts } from './take-report.ts';

export interface WebhookParts extends ReportParts, Omit<RouteReading, 'keys'>, Partial<SigningKeys> {
  /** What the environment says. A webhook without its settings does not exist. */
  readonly byDefault: ReportSettings;
}

const largestBody = 1024 * 1024;

/** Receives what providers of email report, about the default or the route that their address names. */
export async function serveProviderWebhooks(app: FastifyInstance, parts: WebhookParts): Promise<void> {
  const findRoute = reportingRoute(parts, parts.byDefault);
  await app.register((scope, _options, done) => {
    // SNS calls its JSON text/plain.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: largestBody }, (_request, body, read) =>
      read(null, body),
    );
    serveSes(scope, parts, findRoute, { fetch: parts.fetch ?? fetch, roots: parts.roots });
    serveMailgun(scope, parts, findRoute);
    done();
  });
}
