import { forkScript } from '../support/forked.ts';
import { patternOf } from './pattern.ts';
import { connections } from './service.ts';

/** Another sender in a process of its own, which sends what the service sends. */
interface Rival {
  readonly pid: number;
  go(): Promise<void>;
  /** Ends when what is under way has been taken; answers how many were, in all turns. */
  rest(): Promise<number>;
  stop(): Promise<void>;
}

/** nodemailer with its pool, and the least that a sender can do, with and without a signature. */
export const rivalNames = ['nodemailer', 'floor', 'floor unsigned'] as const;
export type RivalName = (typeof rivalNames)[number];
export type Rivals = Readonly<Record<RivalName, Rival>>;

export async function startRivals(smtpPort: number, sample: string, pem: string): Promise<Rivals> {
  const pattern = await patternOf(sample, pem);
  const floor = (signs: boolean) =>
    startRival(new URL('floor-mailer.ts', import.meta.url), smtpPort, { sample, pem, signs });
  return {
    nodemailer: await startRival(new URL('bare-mailer.ts', import.meta.url), smtpPort, { pattern }),
    floor: await floor(true),
    'floor unsigned': await floor(false),
  };
}

async function startRival(script: URL, port: number, setting: object): Promise<Rival> {
  const mailer = forkScript(script);
  await mailer.ask({ ask: 'open', port, connections, ...setting });
  return {
    pid: mailer.pid,
    go: () => mailer.ask({ ask: 'go' }),
    rest: () => mailer.ask({ ask: 'rest' }),
    stop: () => mailer.stop(),
  };
}

/** How many all of them sent so far; each rests from here on. */
export async function sentByRivals(rivals: Rivals): Promise<number> {
  let sent = 0;
  for (const name of rivalNames) sent += await rivals[name].rest();
  return sent;
}
