import { forkScript } from './forked.ts';
import type { Marked, Watched } from './smtp-sink.ts';

export interface SinkState {
  /** Accepted so far. */
  readonly messages: number;
  readonly bytes: number;
  readonly connections: number;
  /** The first message there was, as it came. */
  readonly sample: string;
}

/** An SMTP server in a process of its own that takes everything. */
export interface Sink {
  readonly port: number;
  readonly pid: number;
  state(): Promise<SinkState>;
  /** Waits for `skip` messages, then tells how long the next `count` took, or as many as came within `atMostMs`. */
  watch(wanted: { skip: number; count: number; atMostMs: number }): Promise<Watched>;
  /** Takes so long for every reply from now on. */
  think(ms: number): Promise<void>;
  /** Counts messages that hold this text, from now on. */
  mark(text: string): Promise<void>;
  marked(): Promise<Readonly<Marked>>;
  stop(): Promise<void>;
}

export async function startSink(): Promise<Sink> {
  const process = forkScript(new URL('smtp-sink.ts', import.meta.url));
  return {
    port: await process.ask<number>({ ask: 'listen' }),
    pid: process.pid,
    state: () => process.ask({ ask: 'state' }),
    watch: (wanted) => process.ask({ ask: 'watch', ...wanted }),
    think: (ms) => process.ask({ ask: 'think', ms }),
    mark: (text) => process.ask({ ask: 'mark', text }),
    marked: () => process.ask({ ask: 'marked' }),
    stop: () => process.stop(),
  };
}
