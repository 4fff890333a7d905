import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import type { StoredBroadcast } from '../draft/broadcast-rows.ts';
import type { LaneRef } from './lane.ts';
import { isMailing } from './mailing-step.ts';

/** Usually the last one is the one that the fence noted last; further ones were claimed while it did not answer. */
export const recentWindows = 8;

/** A window that a lane claimed: its number, and the last claims of the lane, this one included. */
export interface Numbered {
  readonly number: number;
  readonly known: readonly string[];
}

/** Numbers a window of a lane, which the caller holds and has charged to the allowance. */
export async function numberWindow(
  { db, org, now }: Work,
  { lane }: LaneRef,
  claim: string,
  by: string | undefined,
): Promise<Numbered> {
  const { rows } = await sql<{ number: number; claims: string[] }>`
    with last as (
      select number, claim from delivery_windows
      where org_id = ${org} and broadcast_id = ${lane.broadcast} and lane = ${lane.number}
      order by number desc limit ${recentWindows})
    insert into delivery_windows (org_id, broadcast_id, lane, number, claim, process, charged_at)
    select ${org}, ${lane.broadcast}, ${lane.number}, coalesce((select max(number) from last), 0) + 1, ${claim},
      ${by ?? null}::uuid, ${now}
    returning number, array(select claim::text from last) as claims`.execute(db);
  const { number, claims } = rows[0]!;
  return { number, known: [claim, ...claims] };
}

interface WindowRef {
  readonly lane: number;
  readonly number: number;
  readonly claim: string;
}

/** Those of the windows that this database does not know: it went back since they were noted. */
export async function forgottenAmong<Window extends WindowRef>(
  { db, org }: Work,
  broadcast: string,
  windows: readonly Window[],
): Promise<Window[]> {
  const { rows } = await sql<{ claim: string }>`
    select w.claim from ${unnested(windows)} join delivery_windows w
      on w.org_id = ${org} and w.broadcast_id = ${broadcast} and w.lane = t.lane and w.number = t.number
    where w.claim = t.claim`.execute(db);
  const known = new Set(rows.map(({ claim }) => claim));
  return windows.filter(({ claim }) => !known.has(claim));
}

/**
 * Adds windows that the database had forgotten. A window with the same number that it claimed since was never handed
 * over, because the fence did not note it: its place is taken.
 */
export async function rememberWindows(
  { db, org }: Work,
  broadcast: string,
  windows: readonly WindowRef[],
): Promise<void> {
  await sql`
    insert into delivery_windows (org_id, broadcast_id, lane, number, claim)
    select ${org}, ${broadcast}, t.lane, t.number, t.claim from ${unnested(windows)}
    on conflict (org_id, broadcast_id, lane, number) do update set claim = excluded.claim`.execute(db);
}

const unnested = (windows: readonly WindowRef[]) => sql`
  unnest(${windows.map(({ lane }) => lane)}::bigint[], ${windows.map(({ number }) => number)}::bigint[],
    ${windows.map(({ claim }) => claim)}::uuid[]) as t(lane, number, claim)`;

/**
 * What a broadcast is called at the fence. A mailing that a database forgot is made again with another id, so it goes
 * by what it is for.
 */
export const fencedName = (
  org: string,
  row: Pick<StoredBroadcast, 'id' | 'workflow_id' | 'workflow_version' | 'node' | 'webinar_id'>,
): string =>
  isMailing(row)
    ? [org, row.workflow_id, row.workflow_version, row.node, row.webinar_id].join('/')
    : `${org}/${row.id}`;
