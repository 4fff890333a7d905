import type { FastifyRequest } from 'fastify';
import { hasOneCredential } from '../../catalogue/one-credential.ts';
import type { Authenticate } from '../../domain/orgs/authenticate.ts';
import { callerOfKey } from '../../domain/orgs/caller-of-key.ts';
import type { Caller, Power } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';

/** An organization's own key over REST may do what a tool may not. */
const powers: ReadonlySet<Power> = new Set<Power>([
  'drop_suppression',
  'replace_external_id',
  'replace_names',
]);

/** `Authorization: <key>`, bare, with `Auth-Type: api`. */
export async function authenticateRest(
  request: FastifyRequest,
  authenticate: Authenticate,
  clock: Clock,
): Promise<Caller> {
  const { authorization, 'auth-type': authType } = request.headers;
  if (!hasOneCredential(request.raw)) throw refuse('Send one Authorization header, not several.');
  if (!authorization) throw refuse('Send the API key in the Authorization header.');
  if (authType !== 'api') throw refuse('Send the header Auth-Type: api beside the API key.');
  if (/^bearer /i.test(authorization)) throw refuse('Send the API key bare, without "Bearer" before it.');
  const record = await authenticate(authorization, request.ip);
  if (record === undefined) throw refuse('The API key is unknown, revoked or expired.');
  const now = clock.now();
  return callerOfKey(record, { face: 'rest', requestId: request.id, address: request.ip, now }, powers);
}

const refuse = (detail: string): Failure => new Failure('unauthenticated', detail);
