import * as restate from '@restatedev/restate-sdk';
import { z } from 'zod';
import { ring, type RingParts } from '../domain/workflows/ring.ts';
import { OrgId } from '../kernel/ids.ts';
import { inPlace, type Slots } from '../kernel/slots.ts';
import { soonAgain } from './soon-again.ts';

const Alarm = z.object({
  org_id: OrgId,
  clock_id: z.guid(),
  at: z.iso.datetime(),
  holder: z.string().optional(),
});

interface Handlers {
  ring(context: restate.Context, raw: unknown): Promise<void>;
}
const itself: restate.ServiceDefinition<'WaitClock', Handlers> = { name: 'WaitClock' };

const longestWaitMs = 7 * 24 * 3_600_000; // it finds itself early then, and waits again

/** The alarm of many waits. The rows decide: one that rings early is set again, one too many does nothing. */
export function waitClock(
  parts: RingParts,
  places: Slots,
  onRung: (fields: object, message: string) => void,
) {
  return restate.service({
    name: itself.name,
    options: {
      journalRetention: 0,
      inactivityTimeout: { minutes: 1 },
      abortTimeout: { minutes: 1 },
      retryPolicy: soonAgain,
    },
    handlers: {
      ring: async (context: restate.Context, raw: unknown): Promise<void> => {
        const parsed = Alarm.safeParse(raw);
        if (!parsed.success) throw new restate.TerminalError('not the alarm of a clock');
        const { org_id, clock_id, at } = parsed.data;
        const holder = parsed.data.holder ?? context.rand.uuidv4();
        const rung = await context.run('ring', () =>
          inPlace(places, parts.stopping, () => ring(parts, { org_id, clock_id, at: new Date(at), holder })),
        );
        const again = (delay: number) =>
          context
            .serviceSendClient(itself)
            .ring({ org_id, clock_id, at, holder }, restate.rpc.sendOpts({ delay }));
        if (rung.outcome === 'early') again(Math.min(rung.waitMs, longestWaitMs));
        else if (rung.outcome === 'more') again(0);
        if ('released' in rung && rung.released > 0)
          onRung({ org_id, clock_id, released: rung.released }, 'waits were released');
      },
    },
  });
}
