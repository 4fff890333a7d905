import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { EnterFlight } from '../../catalogue/in-flight.ts';
import type { Perform } from '../../catalogue/perform.ts';
import { isSameOrigin } from '../../catalogue/same-origin.ts';
import { sessionToken } from '../../catalogue/session-cookie.ts';
import type { TakeCallPlace } from '../../catalogue/share-calls.ts';
import { takeRate } from '../../catalogue/take-rate.ts';
import { previewBroadcast } from '../../domain/broadcasts/plan/preview-broadcast.ts';
import type { AuthenticateSession } from '../../domain/members/authenticate-session.ts';
import { callerOfMember } from '../../domain/members/caller-of-member.ts';
import type { TakeRate } from '../../domain/orgs/rate-limit.ts';
import type { Caller } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';

export interface PreviewParts {
  readonly perform: Perform;
  readonly authenticateSession: AuthenticateSession;
  readonly rate: TakeRate;
  readonly enter: EnterFlight;
  readonly take: TakeCallPlace;
  readonly origin: string;
  readonly clock: Clock;
}

// A message is a stranger's page: it runs nothing, belongs to no origin and loads pictures alone.
const policy =
  "sandbox; default-src 'none'; img-src https: data:; style-src 'unsafe-inline'; frame-ancestors 'self'";

interface Asked {
  readonly Params: { readonly org: string; readonly broadcast: string };
  readonly Querystring: { readonly person?: string };
}

/** The message of a broadcast as a page, for a frame of the dashboard. Its own policy keeps it apart from that. */
export function serveBroadcastPreview(app: FastifyInstance, parts: PreviewParts): void {
  app.get<Asked>(
    '/preview/:org/broadcasts/:broadcast',
    { config: { operation: 'preview_broadcast', face: 'dashboard' } },
    async (request, reply) => {
      const caller = await callerOf(request, parts);
      reply.raw.once('close', parts.enter(caller.org).done);
      await takeRate(parts.rate, previewBroadcast, caller);
      const free = await parts.take(caller.org, previewBroadcast);
      try {
        const { broadcast, person } = { ...request.params, ...request.query };
        const { output } = await parts.perform(previewBroadcast, caller, {
          broadcast_id: broadcast,
          ...(person !== undefined && { person_id: person }),
        });
        return await reply
          .header('Content-Security-Policy', policy)
          .header('X-Frame-Options', 'SAMEORIGIN')
          .type('text/html; charset=utf-8')
          .send(output['message']);
      } finally {
        free();
      }
    },
  );
}

/** A frame cannot send a header of its own, so the organization is in the path; the browser says whose page asks. */
async function callerOf(
  request: FastifyRequest<Asked>,
  { authenticateSession, origin, clock }: PreviewParts,
): Promise<Caller> {
  if (!isSameOrigin(request, origin))
    throw new Failure('forbidden', 'Only a page of this installation shows previews.');
  const token = sessionToken(request);
  const found = token === undefined ? undefined : await authenticateSession(token, request.ip);
  if (found === undefined) throw new Failure('unauthenticated', 'The session has ended. Sign in again.');
  const membership = found.organizations.find(({ org_id }) => org_id === request.params.org.toLowerCase());
  if (membership === undefined) throw new Failure('not_found', 'You are in no such organization.');
  return callerOfMember(found.user_id, membership, {
    face: 'rest',
    requestId: request.id,
    address: request.ip,
    now: clock.now(),
  });
}
