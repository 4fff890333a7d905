import { sql } from 'kysely';
import { relayTransaction } from '../database/org-transaction.ts';
import { outboxFrom } from '../database/outbox.ts';
import type { Database } from '../database/pool.ts';

/** What a relay knows of the outbox. */
export interface OutboxRound {
  /** Nothing of an earlier transaction is there, or will be. */
  readonly from: number;
  /** Whoever wrote in an earlier transaction is among the organizations. */
  readonly seen: number;
  /** Organizations that have messages, or had some when they were last looked at. */
  readonly orgs: ReadonlySet<string>;
  /** Real time, in milliseconds, of the last look at the whole outbox. */
  readonly at: number;
}

/** How long organizations are only added: another relay may have died with messages that this one took for done. */
const lookMs = 5_000;

/**
 * Looks through all that is there, every few seconds, and keeps for whoever comes next where that begins: in the same
 * transaction, because in another one the database may have gone back. Rows are found by the transaction that wrote
 * them, because deleted ones stay in the way while somebody holds a snapshot.
 */
export async function lookRound(
  database: Database,
  nowMs: number,
  last: OutboxRound | undefined,
): Promise<OutboxRound> {
  if (last !== undefined && nowMs - last.at < lookMs) return last;
  return relayTransaction(database, async (db) => {
    const { orgs, oldest, oldestOpen } = await look(db, outboxFrom);
    const from = Math.min(oldest ?? oldestOpen, oldestOpen);
    await sql`update installation set outbox_from = ${from} where outbox_from <> ${from}`.execute(db);
    return { from, seen: oldestOpen, orgs: new Set(orgs), at: nowMs };
  });
}

/** Adds the organizations that wrote since. */
export async function hearOfMore(db: Database, last: OutboxRound): Promise<OutboxRound> {
  const { orgs, oldestOpen } = await look(db, last.seen);
  return { ...last, seen: oldestOpen, orgs: new Set([...last.orgs, ...orgs]) };
}

interface Look {
  readonly orgs: readonly string[];
  readonly oldest: number | null;
  /** Of every transaction before this one it is known how it ended. */
  readonly oldestOpen: number;
}

async function look(db: Database, from: number | typeof outboxFrom): Promise<Look> {
  const { rows } = await sql<Look>`
    select array_agg(distinct org_id::text) filter (where org_id is not null) as orgs, min(tx) as oldest,
      pg_snapshot_xmin(pg_current_snapshot())::text::bigint as "oldestOpen"
    from outbox where tx >= ${from}`.execute(db);
  const found = rows[0]!;
  return { ...found, orgs: found.orgs ?? [] };
}
