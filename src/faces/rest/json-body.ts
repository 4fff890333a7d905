import type { FastifyInstance } from 'fastify';

/** JSON and nothing else. An empty body is no body: clients send the content type on DELETE too. */
export function readJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser(
    /^application\/(?:[\w.-]+\+)?json(?:;|$)/,
    { parseAs: 'string' },
    (request, body, done) => {
      if (body.length === 0) done(null, undefined);
      else void parse(request, body as string, done);
    },
  );
}
