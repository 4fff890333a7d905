import { sql } from 'kysely';
import { relayTransaction } from '../database/org-transaction.ts';
import type { OutboxMessage } from '../database/outbox.ts';
import type { Database } from '../database/pool.ts';
import type { Engine } from './engine.ts';
import { hearOfMore, lookRound, type OutboxRound } from './outbox-round.ts';

/** Few, because whoever comes next waits for them. */
const batch = 64;
const atOnce = 32;

/** Where a relay is on its way round. */
export interface RelayPlace {
  /** The organization after which it goes on; from the first one if there is none. */
  readonly after?: string | undefined;
  /** Messages that were not taken in this round. */
  readonly aside?: readonly number[];
  /** What it knew of the outbox last. */
  readonly round?: OutboxRound | undefined;
}

export interface RelayResult {
  readonly found: number;
  readonly taken: number;
  /** What the engine did not take. */
  readonly refused: readonly number[];
  /** The organization after which to go on; undefined after the last. */
  readonly next?: string | undefined;
  readonly round: OutboxRound;
}

interface Row extends OutboxMessage {
  readonly org_id: string;
  readonly tx: number;
  readonly id: number;
  readonly key: string;
}

/**
 * Moves one batch from the outbox to the engine, the oldest messages of each organization in turn: however many one has,
 * another's next waits for a batch at most. Rows are held while they are handed over and deleted once taken, so any
 * number of relays may run; a crash in between hands a row over again, and the engine knows its key.
 */
export async function relayBatch(
  database: Database,
  engine: Engine,
  { after, aside = [], round: last }: RelayPlace = {},
): Promise<RelayResult> {
  const known = await lookRound(database, performance.now(), last);
  return relayTransaction(database, async (db) => {
    const round = await hearOfMore(db, known);
    const orgs = [...round.orgs]
      .filter((org) => after === undefined || org > after)
      .toSorted()
      .slice(0, batch);
    const rows = await oldestOf(db, orgs, round.from, aside);
    const refused: number[] = [];
    const waiting = rows.values();
    const hand = async (): Promise<void> => {
      for (const { id, key, ...message } of waiting)
        if (!(await engine.send(message, key).catch(() => false))) refused.push(id);
    };
    await Promise.all(Array.from({ length: atOnce }, hand));
    const taken = rows.filter(({ id }) => !refused.includes(id));
    if (taken.length > 0) await remove(db, taken);
    const next = orgs.length === batch ? orgs.at(-1) : undefined;
    // Who has none now is heard of again; unless all that it has was put aside.
    const empty =
      aside.length > 0
        ? new Set<string>()
        : new Set(orgs).difference(new Set(rows.map(({ org_id }) => org_id)));
    const left = { ...round, orgs: round.orgs.difference(empty) };
    return { found: rows.length, taken: taken.length, refused, next, round: left };
  });
}

/** As many of each as fit into a batch, the first of everybody first. */
async function oldestOf(
  db: Database,
  orgs: readonly string[],
  from: number,
  aside: readonly number[],
): Promise<Row[]> {
  if (orgs.length === 0) return [];
  const each = Math.floor(batch / orgs.length);
  const { rows } = await sql<Row & { rank: number }>`
    select m.*, rank() over (partition by m.org_id order by m.tx, m.id)::int as rank
    from unnest(${orgs}::uuid[]) as one(org_id) cross join lateral (
      select org_id, tx, id, key, service, handler, payload, traceparent from outbox
      where org_id = one.org_id and tx >= ${from} and id <> all(${aside}::bigint[])
      order by tx, id limit ${each} for update skip locked) m`.execute(db);
  return rows.toSorted((a, b) => a.rank - b.rank || a.id - b.id);
}

const remove = (db: Database, rows: readonly Row[]): Promise<unknown> =>
  sql`
    delete from outbox o using unnest(${rows.map(({ org_id }) => org_id)}::uuid[],
      ${rows.map(({ tx }) => tx)}::bigint[], ${rows.map(({ id }) => id)}::bigint[]) as t(org_id, tx, id)
    where o.org_id = t.org_id and o.tx = t.tx and o.id = t.id`.execute(db);
