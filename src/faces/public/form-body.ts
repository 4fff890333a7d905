import type { FastifyInstance } from 'fastify';

const largestForm = 64 * 1024;

/** Forms and nothing else, within a scope of their own. */
export function readForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: largestForm },
    (_request, body, done) => done(null, new URLSearchParams(body as string)),
  );
}
