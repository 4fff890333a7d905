import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireSessionCall } from '../../catalogue/same-origin.ts';
import { listSessions, type Session } from '../../domain/accounts/session.ts';
import { Failure } from '../../kernel/failure.ts';
import { browserOf } from './account-page.ts';
import { sessionOf, type Door } from './door.ts';
import { serveOrganizationCalls } from './organization-calls.ts';
import { endOne } from './own-account.ts';

/** What a page's script may ask about the session it runs in. The cookie is all that lets it, and no script reads that. */
export function serveSessionCalls(scope: FastifyInstance, door: Door): void {
  const { parts, clock } = door;
  const authenticate = async (request: FastifyRequest): Promise<Session> => {
    requireSessionCall(request, door.site.origin);
    const session = await sessionOf(door, request);
    if (session === undefined || session.awaitsCode)
      throw new Failure('unauthenticated', 'The session has ended. Sign in again.');
    return session;
  };
  serveOrganizationCalls(scope, door, authenticate);

  scope.get(
    '/account/session',
    { config: { operation: 'get_session', face: 'account' } },
    async (request) => {
      const { id, userId, email, endsAt, hasTwoSteps } = await authenticate(request);
      return {
        session_id: id,
        user: { user_id: userId, email, two_steps: hasTwoSteps },
        ends_at: endsAt.toISOString(),
      };
    },
  );

  scope.get(
    '/account/sessions',
    { config: { operation: 'list_sessions', face: 'account' } },
    async (request) => {
      const { id, userId } = await authenticate(request);
      const sessions = await parts.transact('read', (db) => listSessions(db, userId, clock.now()));
      return {
        sessions: sessions.map((session) => ({
          session_id: session.id,
          current: session.id === id,
          browser: browserOf(session.agent),
          address: session.address,
          created_at: session.created_at.toISOString(),
          last_used_at: session.used_at.toISOString(),
          ends_at: session.ends_at.toISOString(),
        })),
      };
    },
  );

  scope.delete<{ Params: { session_id: string } }>(
    '/account/sessions/:session_id',
    { config: { operation: 'end_session', face: 'account' } },
    async (request, reply) => {
      const { userId } = await authenticate(request);
      if (!(await endOne(door, userId, request.params.session_id, request.ip)))
        throw new Failure('not_found', 'You have no such session.');
      return reply.code(204).send();
    },
  );
}
