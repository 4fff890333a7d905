import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import { inHandOf, type Claimed } from '../../delivery/ledger/ledger.ts';
import { defaultRoute } from '../../delivery/ledger/route.ts';
import { settleWindow, type SettledRow } from '../../delivery/ledger/settle.ts';
import { checkWindow } from './check-window.ts';
import type { Journal } from './journal.ts';
import type { LaneRef } from './lane.ts';
import { recordWindow } from './record-window.ts';
import type { Run } from './run.ts';
import { settledBy } from './settle-answer.ts';

// Journals are kept a day longer.
const askedFor = sql`interval '7 days'`;

/** What a dead process left in hand, of one claim, as its journal tells it. */
export interface Leftover {
  readonly claim: string;
  /** Of this moment's month is the allowance that it was charged to. */
  readonly chargedAt: Date;
  /** Never handed over, or not taken. */
  readonly untaken: readonly number[];
  /** Taken by the provider, which the database does not know. */
  readonly taken: readonly Claimed[];
}

/** Reads the journals of those who had messages of a lane in hand. Claims that no journal knows for sure are not told. */
export async function readLeftovers(
  work: Work,
  { lane }: LaneRef,
  journal: Journal | undefined,
): Promise<Leftover[]> {
  if (journal === undefined) return [];
  const rows = await inHandOf(work, lane.broadcast, lane.number);
  if (rows.length === 0) return [];
  const claims = Map.groupBy(rows, ({ claim }) => claim);
  const { rows: windows } = await sql<{ claim: string; process: string; charged_at: Date | null }>`
    select claim, process, charged_at from delivery_windows
    where org_id = ${work.org} and broadcast_id = ${lane.broadcast} and lane = ${lane.number}
      and claim = any(${[...claims.keys()]}::uuid[]) and process is not null
      and claimed_at > now() - ${askedFor}`.execute(work.db);
  const leftovers: Leftover[] = [];
  for (const { claim, process, charged_at } of windows) {
    const courses = await journal.read(process, claim);
    if (courses === undefined) continue;
    const held = claims.get(claim)!;
    leftovers.push({
      claim,
      chargedAt: charged_at ?? work.now,
      untaken: held.flatMap(({ id }) => ((courses.get(id) ?? 'not_taken') === 'not_taken' ? id : [])),
      taken: held.filter(({ id }) => courses.get(id) === 'taken'),
    });
  }
  return leftovers;
}

/** Makes pending again what was not handed over or not taken. Returns how many that were of each claim. */
export async function putBackUntaken(
  work: Work,
  leftovers: readonly Leftover[],
): Promise<{ readonly chargedAt: Date; readonly count: number }[]> {
  const putBack = [];
  for (const { claim, chargedAt, untaken } of leftovers) {
    const settled = untaken.map((id) => ({ id, state: 'pending', untried: true }) as const);
    putBack.push({ chargedAt, count: (await settleWindow(work, claim, settled)).length });
  }
  return putBack;
}

/**
 * Records what was taken, of messages that were given up as uncertain. Whoever may not be written to any more stays
 * uncertain: the address that it went to is not known for them.
 */
export async function recordTaken(
  work: Work,
  run: Run,
  leftovers: readonly Leftover[],
): Promise<SettledRow[]> {
  const recorded: SettledRow[] = [];
  const answer = { outcome: 'sent', reply: 'Taken, as the journal says.' } as const;
  for (const { claim, chargedAt, taken } of leftovers) {
    if (taken.length === 0) continue;
    const { go } = await checkWindow(work, run, taken);
    const settled = go.map((recipient) => settledBy(run, recipient, answer, work.now));
    const answers = new Map(go.map((recipient) => [recipient, answer]));
    recorded.push(
      ...(await recordWindow(work, run, { claim, chargedAt, settled, answers, route: defaultRoute })),
    );
  }
  return recorded;
}
