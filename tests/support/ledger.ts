import { expect } from 'vitest';
import type { World } from './world.ts';

// Answers are looked into by tests, not typed twice.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

export interface LedgerRow {
  readonly id: number;
  readonly person_id: string | null;
  readonly state: string;
  readonly reason: string | null;
  readonly address: string | null;
  readonly attempts: number;
  readonly due_at: Date;
  readonly sent_at: Date | null;
  readonly history: readonly Json[];
}

export async function ledgerOf({ admin }: World, id: string): Promise<LedgerRow[]> {
  const { rows } = await admin.query(
    `select id::float8, person_id, state, reason, address, attempts::int, due_at, sent_at, history
     from deliveries where broadcast_id = $1 order by id`,
    [id],
  );
  return rows;
}

/** How many recipients there are of each kind: `sent`, or `skipped opted_out`. */
export async function outcomesOf(world: World, id: string): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (const { state, reason } of await ledgerOf(world, id)) {
    const outcome = reason === null ? state : `${state} ${reason}`;
    counted[outcome] = (counted[outcome] ?? 0) + 1;
  }
  return counted;
}

/** The totals are the sums of the ledger, and nobody is left out of them. */
export async function expectBalanced({ admin }: World, id: string): Promise<void> {
  const { rows } = await admin.query(
    `select b.recipients::int, b.pending::int, b.sent::int, b.skipped::int, b.failed::int, b.uncertain::int,
       d.recipients as rows, d.pending as rows_pending, d.sent as rows_sent, d.skipped as rows_skipped,
       d.failed as rows_failed, d.uncertain as rows_uncertain
     from broadcasts b, lateral (
       select count(*)::int as recipients,
         count(*) filter (where state in ('pending', 'sending'))::int as pending,
         count(*) filter (where state = 'sent')::int as sent,
         count(*) filter (where state = 'skipped')::int as skipped,
         count(*) filter (where state = 'failed')::int as failed,
         count(*) filter (where state = 'uncertain')::int as uncertain
       from deliveries d where d.org_id = b.org_id and d.broadcast_id = b.id) d
     where b.id = $1`,
    [id],
  );
  const { recipients, pending, sent, skipped, failed, uncertain, ...counted } = rows[0];
  expect(counted).toEqual({
    rows: recipients,
    rows_pending: pending,
    rows_sent: sent,
    rows_skipped: skipped,
    rows_failed: failed,
    rows_uncertain: uncertain,
  });
  expect(recipients).toBe(pending + sent + skipped + failed + uncertain);
}

const quietMs = 90_000;

/**
 * The first moment from the given one on after which nobody's turn comes for a while: a clock that runs on while a test
 * looks around makes nobody due then.
 */
export function quietMoment(rows: readonly Pick<LedgerRow, 'due_at'>[], from: number): number {
  const turns = rows.map(({ due_at }) => due_at.getTime()).toSorted((a, b) => a - b);
  // A turn may come in the middle of a millisecond.
  const moments = [from, ...turns.filter((turn) => turn >= from).map((turn) => turn + 1)];
  return moments.find((moment) => !turns.some((turn) => turn >= moment && turn < moment + quietMs))!;
}
