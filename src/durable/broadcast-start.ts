import * as restate from '@restatedev/restate-sdk';
import { z } from 'zod';
import type { Database } from '../database/pool.ts';
import { beginSending, type StartDelivery } from '../domain/broadcasts/begin-sending.ts';
import type { Clock } from '../kernel/clock.ts';
import { OrgId } from '../kernel/ids.ts';

const Alarm = z.object({
  org_id: OrgId,
  broadcast_id: z.guid(),
  revision: z.coerce.number().int().positive(),
});

interface Handlers {
  begin(context: restate.Context, raw: unknown): Promise<void>;
}
const itself: restate.ServiceDefinition<'BroadcastStart', Handlers> = { name: 'BroadcastStart' };

export interface BroadcastStartParts {
  readonly database: Database;
  readonly clock: Clock;
  /** What sends; without it nothing can be, and the broadcast says so. */
  readonly deliver: StartDelivery | undefined;
  readonly onRung: (alarm: z.infer<typeof Alarm>, outcome: string) => void;
}

/** The alarm of a scheduled broadcast. The row decides: one that rings early is set again, one too many does nothing. */
export const broadcastStart = ({ database, clock, deliver, onRung }: BroadcastStartParts) =>
  restate.service({
    name: itself.name,
    options: { journalRetention: 0, inactivityTimeout: { minutes: 1 }, abortTimeout: { minutes: 1 } },
    handlers: {
      begin: async (context: restate.Context, raw: unknown): Promise<void> => {
        const parsed = Alarm.safeParse(raw);
        if (!parsed.success) throw new restate.TerminalError('not an alarm of a broadcast');
        const alarm = parsed.data;
        const begun = await context.run('begin', () => beginSending(database, alarm, clock.now(), deliver));
        if (begun.outcome === 'early') {
          context.serviceSendClient(itself).begin(raw, restate.rpc.sendOpts({ delay: begun.waitMs }));
        } else onRung(alarm, begun.outcome);
      },
    },
  });
