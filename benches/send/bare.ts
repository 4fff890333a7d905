import { forkScript } from '../support/forked.ts';
import type { Pattern } from './pattern.ts';
import { connections } from './service.ts';

/** nodemailer in a process of its own, sending what the service sends. */
export interface Bare {
  readonly pid: number;
  go(): Promise<void>;
  /** Ends when what is under way has been taken; answers how many were, in all turns. */
  rest(): Promise<number>;
  stop(): Promise<void>;
}

export async function startBare(smtpPort: number, pattern: Pattern): Promise<Bare> {
  const mailer = forkScript(new URL('bare-mailer.ts', import.meta.url));
  await mailer.ask({ ask: 'open', port: smtpPort, connections, pattern });
  return {
    pid: mailer.pid,
    go: () => mailer.ask({ ask: 'go' }),
    rest: () => mailer.ask({ ask: 'rest' }),
    stop: () => mailer.stop(),
  };
}
