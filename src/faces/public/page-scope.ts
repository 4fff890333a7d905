import type { FastifyError, FastifyInstance } from 'fastify';
import { serveCalendarFiles } from './calendar.ts';
import { notNow, sendPage } from './page.ts';
import { serveTracking, type TrackParts } from './track.ts';
import { serveUnsubscribe } from './unsubscribe.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Which face a route belongs to, for logs and metrics, when it is not rest. */
    face?: 'public';
  }
}

const largestBody = 64 * 1024;
const retrySeconds = '30';

/** What recipients of messages reach, by the addresses in them. Whatever happens, they see a page and no JSON. */
export async function servePages(app: FastifyInstance, parts: TrackParts): Promise<void> {
  await app.register((scope, _options, done) => {
    // A form of either kind, or none: who posts here wants one thing, and what the body says does not change it.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: largestBody }, (_request, _body, read) =>
      read(null, undefined),
    );
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      const { statusCode = 503 } = error;
      if (statusCode < 500) return sendPage(reply, statusCode, notNow);
      request.log.error({ request_id: request.id, err: error.code ?? error.name }, 'a page failed');
      return sendPage(reply.header('Retry-After', retrySeconds), 503, notNow);
    });
    serveTracking(scope, parts);
    serveUnsubscribe(scope, parts);
    serveCalendarFiles(scope, parts);
    done();
  });
}
