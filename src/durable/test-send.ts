import { sendTest } from '../domain/broadcasts/sending/send-test.ts';
import type { MessageHandler } from './mount-handlers.ts';

/** Sends tests of broadcasts. The row says what and to whom; one that was taken is not sent again. */
export const testSend = (
  parts: Parameters<typeof sendTest>[0],
  onSent: (fields: object) => void,
): MessageHandler<'TestSend'> => ({
  options: { inactivityTimeout: { minutes: 2 }, abortTimeout: { minutes: 1 } },
  handle: async (context, asked) => {
    const outcomes = await context.run('send', () => sendTest(parts, asked));
    onSent({ ...asked, outcomes });
  },
});
