import http from 'node:http';
import { sendCall, type Call } from './send-call.ts';

export interface Load {
  /** Calls a second. */
  readonly throughput: number;
  readonly p50: number;
  readonly p95: number;
}

export interface LoadOptions {
  readonly url: string;
  readonly next: () => Call;
  readonly connections: number;
  readonly seconds: number;
  /** Until this has happened, instead of for so many seconds. */
  readonly until?: Promise<unknown>;
}

/** Keeps a number of connections busy for a while. Any answer but a success ends the run: a figure of errors is none. */
export async function load({ url, next, connections, seconds, until }: LoadOptions): Promise<Load> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  const started = performance.now();
  let happened = false;
  void until?.finally(() => (happened = true)).catch(() => undefined); // whoever waits for it hears what went wrong
  const goesOn = (): boolean =>
    until === undefined ? performance.now() < started + seconds * 1000 : !happened;
  const worker = async (): Promise<void> => {
    while (goesOn()) {
      const call = next();
      const before = performance.now();
      await send(agent, url, call);
      times.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  const elapsed = (performance.now() - started) / 1000;
  agent.destroy();
  times.sort((a, b) => a - b);
  return { throughput: times.length / elapsed, p50: quantile(times, 0.5), p95: quantile(times, 0.95) };
}

const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;

async function send(agent: http.Agent, url: string, call: Call): Promise<void> {
  const { status, refusal } = await sendCall(agent, url, call);
  if (status >= 300) throw new Error(`${call.path} answered ${status}: ${refusal}`);
}
