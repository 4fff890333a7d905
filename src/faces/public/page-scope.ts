import type { FastifyError, FastifyInstance } from 'fastify';
import { serveCalendarFiles } from './calendar.ts';
import { notNow, sendPage } from './page.ts';
import { serveTracking, type TrackParts } from './track.ts';
import { serveUnsubscribe } from './unsubscribe.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Which face a route belongs to, for logs and metrics, when it is not rest. */
    face?: 'public' | 'mcp' | 'account' | 'oauth' | 'dashboard';
  }
}

const largestBody = 64 * 1024;
const retrySeconds = '30';

/** Serves the addresses in messages to their recipients. Every answer, also an error, is a page and never JSON. */
export async function servePages(app: FastifyInstance, parts: TrackParts): Promise<void> {
  await app.register((scope, _options, done) => {
    // Accepts any body and ignores it: a post to one of these addresses means one thing, whatever the form contains.
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
