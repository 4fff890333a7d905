import type { Provider } from '../outgoing/outgoing.ts';

/** For test organizations: accepts every message as if it had been sent, and sends nothing. */
export const sinkProvider = (): Provider<unknown> => ({
  name: 'sink',
  send: async () => ({ outcome: 'sent', reply: 'Taken by the sink of the test mode; nothing was sent.' }),
  close: async () => {},
});
