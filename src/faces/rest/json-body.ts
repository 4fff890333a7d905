import type { FastifyInstance } from 'fastify';
import { isLongBody, takePlace } from '../../catalogue/request-place.ts';
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
      // What was parsed is checked next, which takes as long again: others are answered in between.
      const parsed: typeof done = isLongBody(body.length)
        ? (error, value) => void setImmediate(done, error, value)
        : done;
      const read = (): void => {
        if (nestsTextDeeper(body, deepest)) done(invalidRequest([tooDeep('')]));
        else void parse(request, body, parsed);
      };
      takePlace(request, body.length).then(read, done);
    },
  );
}
