import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SinkOptions {
  /** Of so many messages one is cut off at its end; Infinity for none. */
  readonly cutOneIn: number;
  /** How long it thinks about each message. */
  readonly delayMs: number;
  readonly seed: number;
}

export interface SinkLog {
  /** How often each address was sent something that was taken, whether that was said or not. */
  readonly taken: ReadonlyMap<string, number>;
  /** The same of each message: by address and subject, a space between them. */
  readonly messages: ReadonlyMap<string, number>;
  /** Messages at whose end the connection was cut, taken or not. */
  readonly cut: ReadonlySet<string>;
  /** Connections cut with the message taken, and with it not taken. */
  readonly cutTaken: number;
  readonly cutNotTaken: number;
  /** The longest time between one message and the next, between two moments; in milliseconds, as they are. */
  readonly longestGap: (from?: number, to?: number) => number;
}

export interface SmtpSink {
  readonly port: number;
  readLog(): Promise<SinkLog>;
  readonly stop: () => Promise<void>;
}

/** A mail server as a process of its own, which outlives whatever is killed around it. */
export async function startSink({ cutOneIn, delayMs, seed }: SinkOptions): Promise<SmtpSink> {
  const folder = await mkdtemp(join(tmpdir(), 'rostrum-sink-'));
  const log = join(folder, 'log');
  const child = fork(new URL('smtp-sink-process.ts', import.meta.url), [
    `--log=${log}`,
    `--cut-one-in=${cutOneIn}`,
    `--delay-ms=${delayMs}`,
    `--seed=${seed}`,
  ]);
  const [port] = (await once(child, 'message')) as [number];
  return {
    port,
    readLog: async () => parseLog(await readFile(log, 'utf8')),
    stop: async () => {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
      await rm(folder, { recursive: true });
    },
  };
}

function parseLog(text: string): SinkLog {
  const taken = new Map<string, number>();
  const messages = new Map<string, number>();
  const cut = new Set<string>();
  const cuts = { taken_unsaid: 0, not_taken: 0 };
  const times: number[] = [];
  for (const line of text.trim().split('\n')) {
    const [what = '', at = '', address = '', ...subject] = line.split(' ');
    const message = `${address} ${subject.join(' ')}`;
    if (what === 'taken_unsaid' || what === 'not_taken') {
      cuts[what] += 1;
      cut.add(message);
    }
    if (what !== 'not_taken') {
      taken.set(address, (taken.get(address) ?? 0) + 1);
      messages.set(message, (messages.get(message) ?? 0) + 1);
    }
    times.push(Number(at));
  }
  const longestGap = (from = 0, to = Infinity): number => {
    const between = times.filter((at) => at >= from && at <= to);
    return between.reduce((longest, at, n) => Math.max(longest, at - (between[n - 1] ?? at)), 0);
  };
  return { taken, messages, cut, cutTaken: cuts.taken_unsaid, cutNotTaken: cuts.not_taken, longestGap };
}
