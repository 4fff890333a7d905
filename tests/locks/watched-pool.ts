import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { openDatabase, openPool, type Database } from '../../src/database/pool.ts';

/** A deadlock as the database told it, and what each session had asked for by then. */
export interface Deadlock {
  readonly detail: string;
  readonly statements: readonly string[];
}

export interface Watched {
  readonly database: Database;
  /** Also those that a transaction which starts over hides from its caller. */
  readonly deadlocks: Deadlock[];
  close(): Promise<void>;
}

export interface WatchOptions {
  readonly size: number;
  /** Before a statement: so that transactions which run at once meet at any of their statements. */
  readonly pauseMs?: () => number;
  /** After a statement of a session, before its caller goes on. */
  readonly afterStatement?: (pid: number, text: string) => Promise<void>;
}

type Query = (text: string | { text: string }, values?: unknown[]) => Promise<pg.QueryResult>;

const deadlock = '40P01';

/** The service's own pool, whose statements are listened to. */
export function openWatched(url: string, { size, pauseMs, afterStatement }: WatchOptions): Watched {
  const pool = openPool({ url, size, onError: () => undefined });
  pool.options.connectionTimeoutMillis = 60_000;
  const deadlocks: Deadlock[] = [];
  const asked = new Map<number, string[]>();
  pool.on('connect', (client) => {
    const send = client.query.bind(client) as unknown as Query;
    const query: Query = async (sent, values) => {
      const text = typeof sent === 'string' ? sent : sent.text;
      const { processID: pid } = client as unknown as { processID: number };
      if (text.startsWith('begin')) asked.set(pid, []);
      asked.get(pid)?.push(text.replaceAll(/\s+/g, ' ').slice(0, 300));
      const ms = pauseMs?.() ?? 0;
      if (ms > 0) await pause(ms);
      try {
        const result = await send(sent, values);
        await afterStatement?.(pid, text);
        return result;
      } catch (error) {
        const { code, detail = '' } = error as { code?: string; detail?: string };
        if (code === deadlock) deadlocks.push({ detail, statements: told(detail, asked) });
        throw error;
      }
    };
    Object.assign(client, { query });
  });
  return { database: openDatabase(pool), deadlocks, close: () => pool.end() };
}

function told(detail: string, asked: ReadonlyMap<number, readonly string[]>): string[] {
  const pids = new Set([...detail.matchAll(/Process (\d+) waits/g)].map(([, pid]) => Number(pid)));
  return [...pids].map((pid) => `${pid}:\n  ${(asked.get(pid) ?? []).slice(1).join('\n  ')}`);
}
