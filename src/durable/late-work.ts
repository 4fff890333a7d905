import { sql } from 'kysely';
import { engineMessages, messageNames, type MessageName } from '../database/engine-messages.ts';
import { relayTransaction } from '../database/org-transaction.ts';
import type { Database } from '../database/pool.ts';
import { passedRows } from './tell-again.ts';

/** The sweep tells the engine again of what is 30 s late: what is later than this was told several times, in vain. */
const mostSeconds = 120;

export type Lateness = Readonly<Record<MessageName, number>>;

/**
 * How many seconds the oldest row of each message has been due without being done; 0 where none is. It reads the rows
 * and asks neither the engine nor the handlers: whatever keeps work from being done shows here.
 */
export async function readLateness(database: Database, now: Date): Promise<Lateness> {
  const oldest = messageNames.map((name) => {
    const rows = passedRows(engineMessages[name].due, { now, latest: sql`${now}`, engineLost: false });
    return sql`(select ${name} as name, r.since from (${rows}) r where isfinite(r.since) order by r.since limit 1)`;
  });
  const { rows } = await relayTransaction(database, (db) =>
    sql<{ name: MessageName; since: Date }>`${sql.join(oldest, sql` union all `)}`.execute(db),
  );
  const seconds = new Map(rows.map(({ name, since }) => [name, (now.getTime() - since.getTime()) / 1000]));
  return Object.fromEntries(messageNames.map((name) => [name, seconds.get(name) ?? 0])) as Lateness;
}

/** Whether everything that is due gets done, and if not, what waits longest. */
export function judgeLateness(lateness: Lateness): { ok: boolean; detail: string } {
  const name = messageNames.reduce((a, b) => (lateness[b] > lateness[a] ? b : a));
  const seconds = Math.round(lateness[name]);
  if (seconds <= mostSeconds) return { ok: true, detail: 'what is due gets done' };
  return { ok: false, detail: `${engineMessages[name].is} has been due for ${seconds} s (${name})` };
}
