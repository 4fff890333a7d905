import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { toFailure } from '../../catalogue/problem.ts';

/** A refusal in the words of OAuth, which its clients know what to do about (RFC 6749, 5.2). */
export const refuse = (reply: FastifyReply, error: string, why: string, status = 400): FastifyReply =>
  reply.code(status).send({ error, error_description: why });

export const refuseForNow = (reply: FastifyReply, seconds: number): FastifyReply =>
  refuse(
    reply.header('Retry-After', String(seconds)),
    'temporarily_unavailable',
    `Too many came from this address; wait ${seconds} seconds.`,
    429,
  );

/** Whatever goes wrong in these routes is told in the same way. */
export function answerRefusals(scope: FastifyInstance, unreadable: string): void {
  scope.setErrorHandler((error: FastifyError, request, reply) => {
    if ((error.statusCode ?? 500) < 500)
      return refuse(reply, unreadable, 'The body could not be read.', error.statusCode);
    const failure = toFailure(error);
    if (failure.kind === 'internal')
      request.log.error({ request_id: request.id, err: error.code ?? error.name }, 'request failed');
    const wait = failure.extras.retryAfterSeconds;
    if (wait !== undefined) reply.header('Retry-After', String(wait));
    return refuse(reply, 'temporarily_unavailable', failure.message, failure.kind === 'internal' ? 500 : 503);
  });
}
