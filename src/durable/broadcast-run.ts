import * as restate from '@restatedev/restate-sdk';
import { z } from 'zod';
import { laneStep, takeUp } from '../domain/broadcasts/lane-step.ts';
import { LaneRef } from '../domain/broadcasts/lane.ts';
import type { RunParts } from '../domain/broadcasts/run.ts';
import { inPlace, type Slots } from '../kernel/slots.ts';
import { soonAgain } from './soon-again.ts';

const Ticket = z.object({ ticket: z.int().positive().optional() });

interface Handlers {
  send(context: restate.Context, raw: unknown): Promise<void>;
}
const itself: restate.ServiceDefinition<'BroadcastRun', Handlers> = { name: 'BroadcastRun' };

/**
 * Sends broadcasts, step by step. A step that knows its ticket goes on with a lane; one that does not takes up a lane
 * nobody was heard of. The rows decide both, so a message too many does nothing, and an engine that lost all of them is
 * told again by the sweep.
 */
export function broadcastRun(
  parts: RunParts,
  places: Slots,
  onEnd: (fields: object, message: string) => void,
) {
  async function step(context: restate.Context, ref: LaneRef, held: number | undefined): Promise<void> {
    const { broadcast: broadcast_id, number: lane } = ref.lane;
    const ticket = held ?? (await context.run('take up', () => takeUp(parts, ref)));
    if (ticket === undefined) return;
    // In a place within the action: an attempt that the engine gave up never comes to its end, but its action does.
    const next = await context.run('step', () =>
      inPlace(places, parts.stopping, () => laneStep(parts, ref, ticket)),
    );
    if (next === undefined) {
      onEnd({ org_id: ref.org_id, broadcast_id, lane }, 'a lane of a broadcast ended');
      return;
    }
    const again = { org_id: ref.org_id, lane: `${broadcast_id}/${lane}`, ticket: next.ticket };
    context.serviceSendClient(itself).send(again, restate.rpc.sendOpts({ delay: next.waitMs }));
  }

  return restate.service({
    name: itself.name,
    options: {
      journalRetention: 0,
      inactivityTimeout: { minutes: 3 },
      abortTimeout: { minutes: 3 },
      retryPolicy: soonAgain,
    },
    handlers: {
      send: async (context: restate.Context, raw: unknown): Promise<void> => {
        const parsed = LaneRef.safeParse(raw);
        const held = Ticket.safeParse(raw);
        if (!parsed.success || !held.success) throw new restate.TerminalError('not a lane of a broadcast');
        await step(context, parsed.data, held.data.ticket);
      },
    },
  });
}
