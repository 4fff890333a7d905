import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { problemType, toFailure, toProblem } from '../../catalogue/problem.ts';
import { Failure } from '../../kernel/failure.ts';

/** Answers every refusal in one shape, from an operation, the parser or the router. */
export function answerProblems(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const failure = readFastifyError(error) ?? toFailure(error);
    if (failure.kind === 'internal')
      request.log.error({ err: scrub(error), request_id: request.id }, 'request failed');
    return sendProblem(failure, request, reply);
  });
  app.setNotFoundHandler((request, reply) =>
    sendProblem(
      new Failure('route_not_found', 'No route answers this method and path. See /docs.'),
      request,
      reply,
    ),
  );
}

/** The router refuses some paths before a route is found; those reach no hook and no error handler. */
export function answerBadPath(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const detail =
    error.code === 'FST_ERR_MAX_PARAM_LENGTH'
      ? 'A part of the path is longer than any id or key.'
      : 'The path is not a valid URL.';
  void sendProblem(new Failure('invalid_request', detail), request, reply.header('Request-Id', request.id));
}

function sendProblem(failure: Failure, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = toProblem(failure, request.url.split('?', 1)[0] ?? '/', request.id);
  if (failure.kind === 'unauthenticated') reply.header('WWW-Authenticate', 'ApiKey realm="rostrum"');
  const wait = failure.extras.retryAfterSeconds;
  if (wait !== undefined) reply.header('Retry-After', String(wait));
  return reply.code(problem.status).type(problemType(request.headers.accept)).send(JSON.stringify(problem));
}

function readFastifyError(error: FastifyError): Failure | undefined {
  switch (error.statusCode) {
    case 413:
      return new Failure('too_large', 'The body is larger than this service reads.');
    case 415:
      return new Failure('unsupported_media_type', 'Send the body as application/json.');
    case 400:
      return new Failure('malformed_json', 'The body could not be read as JSON.');
    default:
      return undefined;
  }
}

/** The message of a database error may quote values, over several lines; its class, code and frames do not. */
const scrub = (error: Error & { code?: string }): Record<string, unknown> => ({
  type: error.name,
  code: error.code,
  stack: framesOf(error),
});

/** What follows the message in the stack. Undefined if the message is not in it: then frames cannot be separated. */
function framesOf({ stack = '', message }: Error): string | undefined {
  const at = stack.indexOf(message);
  return at === -1
    ? undefined
    : stack
        .slice(at + message.length)
        .split('\n')
        .slice(1, 8)
        .join('\n');
}
