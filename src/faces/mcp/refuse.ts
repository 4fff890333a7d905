import type { FastifyReply, FastifyRequest } from 'fastify';
import { problemType, toProblem } from '../../catalogue/problem.ts';
import type { Permission } from '../../kernel/caller.ts';
import { Failure } from '../../kernel/failure.ts';

/** Says where a token comes from (RFC 9728, 5.1). */
export function refuseStranger(
  request: FastifyRequest,
  reply: FastifyReply,
  metadataUrl: string,
): FastifyReply {
  const failure = new Failure(
    'unauthenticated',
    'Connect by OAuth, or send an API key: `Authorization: Bearer rk_…`, or bare with `Auth-Type: api`.',
  );
  const wrong = request.headers.authorization === undefined ? '' : 'error="invalid_token", ';
  const challenge = `Bearer realm="rostrum", ${wrong}resource_metadata="${metadataUrl}"`;
  return refuse(request, reply.header('WWW-Authenticate', challenge), failure, 401);
}

/** A connection was not granted what a tool asks for: its user may be asked (RFC 6750, 3.1). */
export function refuseForNow(
  request: FastifyRequest,
  reply: FastifyReply,
  lacking: Permission,
  metadataUrl: string,
): FastifyReply {
  const detail = `This connection was not granted ${lacking}. Ask its user for it.`;
  const challenge =
    `Bearer error="insufficient_scope", scope="${lacking}", resource_metadata="${metadataUrl}", ` +
    `error_description="${detail}"`;
  const failure = new Failure('forbidden', detail);
  return refuse(request, reply.header('WWW-Authenticate', challenge), failure, 403);
}

export const refuseOrigin = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  refuse(
    request,
    reply,
    new Failure('forbidden', 'Pages of this origin may not call tools. See MCP_ORIGINS.'),
    403,
  );

const refuse = (
  request: FastifyRequest,
  reply: FastifyReply,
  failure: Failure,
  status: number,
): FastifyReply =>
  reply
    .code(status)
    .type(problemType(request.headers.accept))
    .send(JSON.stringify(toProblem(failure, '/mcp', request.id)));
