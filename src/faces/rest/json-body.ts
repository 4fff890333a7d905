import type { FastifyInstance } from 'fastify';
import { takePlace } from '../../catalogue/request-place.ts';
import { tooDeep } from '../../kernel/hostile-text.ts';
import { nestsTextDeeper } from '../../kernel/nesting.ts';
import { invalidRequest } from '../../kernel/failure.ts';

/** Deeper than any message may be. Half a million levels fit into a body, and parsing them takes 130 ms. */
const deepest = 100;

/** JSON and nothing else. An empty body is no body: clients send the content type on DELETE too. */
export function readJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser(
    /^application\/(?:[\w.-]+\+)?json(?:;|$)/,
    { parseAs: 'string' },
    (request, text, done) => {
      const body = text as string;
      if (body.length === 0) return done(null, undefined);
      const read = (): void => {
        if (nestsTextDeeper(body, deepest)) done(invalidRequest([tooDeep('')]));
        else void parse(request, body, done);
      };
      takePlace(request, body.length).then(read, done);
    },
  );
}
