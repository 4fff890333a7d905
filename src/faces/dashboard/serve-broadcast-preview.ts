import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { EnterFlight } from '../../catalogue/in-flight.ts';
import type { Perform } from '../../catalogue/perform.ts';
import type { TakeCallPlace } from '../../catalogue/share-calls.ts';
import { takeRate } from '../../catalogue/take-rate.ts';
import { previewBroadcast } from '../../domain/broadcasts/plan/preview-broadcast.ts';
import { callerOfMember } from '../../domain/members/caller-of-member.ts';
import type { TakeRate } from '../../domain/orgs/rate-limit.ts';
import type { Caller } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { memberAtFrame, sendFramed, type FrameParts } from './framed-page.ts';

export interface PreviewParts extends FrameParts {
  readonly perform: Perform;
  readonly rate: TakeRate;
  readonly enter: EnterFlight;
  readonly take: TakeCallPlace;
  readonly clock: Clock;
}

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
        return sendFramed(reply, String(output['message']));
      } finally {
        free();
      }
    },
  );
}

async function callerOf(request: FastifyRequest<Asked>, parts: PreviewParts): Promise<Caller> {
  const { userId, membership } = await memberAtFrame(request, request.params.org, parts);
  return callerOfMember(userId, membership, {
    face: 'rest',
    requestId: request.id,
    address: request.ip,
    now: parts.clock.now(),
  });
}
