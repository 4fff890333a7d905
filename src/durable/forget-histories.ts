import { setTimeout as pause } from 'node:timers/promises';
import { relayTransaction } from '../database/org-transaction.ts';
import type { Database } from '../database/pool.ts';
import {
  forgetHistory,
  historyTables,
  type HistoryPart,
  type RowTable,
} from '../domain/orgs/forget-history.ts';
import type { Clock } from '../kernel/clock.ts';
import type { OrgId } from '../kernel/ids.ts';
import { rowParts } from './past-rows.ts';
import type { KeepMonths } from './tidy.ts';

const everyMs = 600_000;

export interface ForgetParts {
  /** How long the operator keeps everybody's: an organization that asks for longer gets no more than that. */
  readonly keep: KeepMonths & Readonly<Record<RowTable, number>>;
  /** No organization's setting is taken for less. */
  readonly atLeast: number;
  readonly onForgotten: (fields: { org_id: OrgId; table: string; rows: number }) => void;
  readonly onTrouble: (error: unknown) => void;
}

/**
 * Goes round the organizations that have rows past what is kept, by them or, of what is not kept by month, by the
 * operator: a part of each at a time, until none has anything left. It rests after each part for as long as that took, so that it takes half of one connection at the most.
 */
export async function forgetHistories(
  database: Database,
  clock: Clock,
  stop: AbortSignal,
  parts: ForgetParts,
): Promise<void> {
  let round = [
    ...(await ownParts(database, parts)),
    ...(await rowParts(database, clock.now(), parts, parts.onTrouble)),
  ];
  const rows = new Map<HistoryPart, number>();
  while (round.length > 0 && !stop.aborted) {
    const left: HistoryPart[] = [];
    for (const part of round) {
      if (stop.aborted) return;
      const began = performance.now();
      const done = await forgetHistory(database, part, clock.now()).catch(parts.onTrouble);
      const took = performance.now() - began;
      const count = (rows.get(part) ?? 0) + (done?.count ?? 0);
      rows.set(part, count);
      if (done?.more === true) left.push(part);
      else if (count > 0) parts.onForgotten({ org_id: part.org, table: part.table, rows: count });
      await pause(took, undefined, { signal: stop }).catch(() => undefined);
    }
    round = left;
  }
}

async function ownParts(
  database: Database,
  { keep, atLeast, onTrouble }: ForgetParts,
): Promise<HistoryPart[]> {
  const orgs = await relayTransaction(database, (db) =>
    db
      .selectFrom('organizations')
      .select(['id', 'history_months'])
      .where('history_months', 'is not', null)
      .where('state', '<>', 'deleting')
      .orderBy('id')
      .execute(),
  ).catch((error: unknown) => {
    onTrouble(error);
    return [];
  });
  return orgs.flatMap(({ id, history_months }) => {
    const months = Math.max(atLeast, history_months ?? 0);
    return historyTables
      .filter((table) => months < keep[table])
      .map((table) => ({ org: id as OrgId, table, months }));
  });
}

export async function runForgetting(
  database: Database,
  clock: Clock,
  stop: AbortSignal,
  parts: ForgetParts,
): Promise<void> {
  while (!stop.aborted) {
    await forgetHistories(database, clock, stop, parts);
    await pause(everyMs, undefined, { signal: stop }).catch(() => undefined);
  }
}
