import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSameOrigin } from '../../catalogue/same-origin.ts';
import { sessionToken } from '../../catalogue/session-cookie.ts';
import type { AuthenticateSession } from '../../domain/members/authenticate-session.ts';
import { Failure } from '../../kernel/failure.ts';

// No script, no form, no frame: a mail has none. Its styles are inline, its pictures come from anywhere over https.
const policy =
  "sandbox; default-src 'none'; img-src https: data:; style-src 'unsafe-inline'; frame-ancestors 'self'";

export interface FrameParts {
  readonly authenticateSession: AuthenticateSession;
  /** Of this installation's own pages, the only ones it is shown in. */
  readonly origin: string;
}

/**
 * The member who looks at a mail in a frame of the dashboard: by itself in a tab it could pass for a page of the
 * service. A frame cannot send a header of its own, so the organization is in the path.
 */
export async function memberAtFrame(
  request: FastifyRequest,
  org: string,
  { authenticateSession, origin }: FrameParts,
) {
  if (!isSameOrigin(request, origin) || request.headers['sec-fetch-dest'] !== 'iframe')
    throw new Failure('forbidden', 'A preview is shown inside the dashboard only.');
  const token = sessionToken(request);
  const found = token === undefined ? undefined : await authenticateSession(token, request.ip);
  if (found === undefined) throw new Failure('unauthenticated', 'The session has ended. Sign in again.');
  const membership = found.organizations.find(({ org_id }) => org_id === org.toLowerCase());
  if (membership === undefined) throw new Failure('not_found', 'You are in no such organization.');
  return { userId: found.user_id, membership };
}

/** The mail as a page that belongs to no origin. */
export const sendFramed = (reply: FastifyReply, page: string): FastifyReply =>
  reply
    .header('Content-Security-Policy', policy)
    .header('X-Frame-Options', 'SAMEORIGIN')
    .type('text/html; charset=utf-8')
    .send(page);
