import * as restate from '@restatedev/restate-sdk';
import { z } from 'zod';
import { sendTest } from '../domain/broadcasts/send-test.ts';
import { OrgId } from '../kernel/ids.ts';

const Asked = z.object({ org_id: OrgId, test_send_id: z.guid() });

/** Sends tests of broadcasts. The row says what and to whom; one that was taken is not sent again. */
export const testSend = (parts: Parameters<typeof sendTest>[0], onSent: (fields: object) => void) =>
  restate.service({
    name: 'TestSend',
    options: { journalRetention: 0, inactivityTimeout: { minutes: 2 }, abortTimeout: { minutes: 1 } },
    handlers: {
      send: async (context: restate.Context, raw: unknown): Promise<void> => {
        const parsed = Asked.safeParse(raw);
        if (!parsed.success) throw new restate.TerminalError('not a test of a broadcast');
        const outcomes = await context.run('send', () => sendTest(parts, parsed.data));
        onSent({ ...parsed.data, outcomes });
      },
    },
  });
