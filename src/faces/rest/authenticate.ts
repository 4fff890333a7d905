import type { FastifyRequest } from 'fastify';
import { hasOneCredential } from '../../catalogue/one-credential.ts';
import { requireSessionCall } from '../../catalogue/same-origin.ts';
import { sessionToken } from '../../catalogue/session-cookie.ts';
import type { AuthenticateSession } from '../../domain/members/authenticate-session.ts';
import { callerOfMember } from '../../domain/members/caller-of-member.ts';
import type { Authenticate } from '../../domain/orgs/authenticate.ts';
import { callerOfKey } from '../../domain/orgs/caller-of-key.ts';
import type { Caller, Power } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';

export interface RestCredentials {
  readonly authenticate: Authenticate;
  readonly authenticateSession: AuthenticateSession;
  /** Of this installation's own pages, which may call by a session. */
  readonly origin: string;
  readonly clock: Clock;
}

/** An organization's own key over REST may do what a tool may not. */
const powers: ReadonlySet<Power> = new Set<Power>([
  'drop_suppression',
  'replace_external_id',
  'replace_names',
]);

/** By key: `Authorization: <key>`, bare, with `Auth-Type: api`. By session: its cookie with `Auth-Type: session`. */
export const authenticateRest = (request: FastifyRequest, credentials: RestCredentials): Promise<Caller> =>
  request.headers['auth-type'] === 'session'
    ? callerBySession(request, credentials)
    : callerByKey(request, credentials);

async function callerByKey(
  request: FastifyRequest,
  { authenticate, clock }: RestCredentials,
): Promise<Caller> {
  const { authorization, 'auth-type': authType } = request.headers;
  if (!hasOneCredential(request.raw)) throw refuse('Send one Authorization header, not several.');
  if (!authorization) throw refuse('Send the API key in the Authorization header.');
  if (authType !== 'api') throw refuse('Send the header Auth-Type: api beside the API key.');
  if (/^bearer /i.test(authorization)) throw refuse('Send the API key bare, without "Bearer" before it.');
  const record = await authenticate(authorization, request.ip);
  if (record === undefined) throw refuse('The API key is unknown, revoked or expired.');
  return callerOfKey(record, aboutCall(request, clock), powers);
}

/** A user may be in several organizations at once, so every call names its own. */
async function callerBySession(
  request: FastifyRequest,
  { authenticateSession, origin, clock }: RestCredentials,
): Promise<Caller> {
  requireSessionCall(request, origin);
  const { authorization, 'rostrum-organization': org } = request.headers;
  if (authorization !== undefined) throw refuse('Send an API key or a session, not both.');
  const token = sessionToken(request);
  const found = token === undefined ? undefined : await authenticateSession(token, request.ip);
  if (found === undefined) throw refuse('The session has ended. Sign in again.');
  if (typeof org !== 'string')
    throw new Failure('invalid_request', 'Send the header Rostrum-Organization with the id of one of yours.');
  const membership = found.organizations.find(({ org_id }) => org_id === org.toLowerCase());
  if (membership === undefined) throw new Failure('not_found', 'You are in no such organization.');
  return callerOfMember(found.user_id, membership, aboutCall(request, clock));
}

const aboutCall = (request: FastifyRequest, clock: Clock) =>
  ({ face: 'rest', requestId: request.id, address: request.ip, now: clock.now() }) as const;

const refuse = (detail: string): Failure => new Failure('unauthenticated', detail);
