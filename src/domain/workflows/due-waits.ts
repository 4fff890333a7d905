import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import type { PersonId } from '../../kernel/ids.ts';
import type { WebinarTimes } from './times.ts';

/** A wait whose time has come, and whose it is. */
export interface DueWait {
  readonly run_id: string;
  readonly person_id: PersonId;
  readonly workflow_id: string;
  readonly version: number;
  readonly node: string;
  readonly anchored: boolean;
  readonly began_at: Date;
  readonly due: Date;
}

/**
 * The waits of a clock whose time has come, the earliest first. Each of the three ways to be due is a range of an
 * index, so this costs the same however many wait beside. Those of a canceled webinar have all come to their end.
 */
export async function findDue(
  { db, org, now }: Work,
  clock: string,
  times: WebinarTimes | undefined,
  most: number,
): Promise<DueWait[]> {
  const select = (due: ReturnType<typeof sql>) => sql`
    select w.run_id, w.person_id, w.workflow_id, w.version, w.node, w.anchor is not null as anchored, w.began_at,
      ${due} as due
    from waits w where w.org_id = ${org} and w.clock_id = ${clock}`;
  const anchored = (anchor: 'start' | 'end', from: Date) => sql`
    (${select(sql`${from}::timestamptz + w.offset_ms * interval '1 millisecond'`)}
      and not w.held and w.anchor = ${anchor} and w.offset_ms <= ${now.getTime() - from.getTime()}
    order by w.offset_ms, w.run_id limit ${most})`;
  const timed = sql`
    (${select(sql`w.due_at`)} and not w.held and w.anchor is null and w.due_at <= ${now}
    order by w.due_at, w.run_id limit ${most})`;
  const due =
    times === undefined
      ? timed
      : times.isCanceled
        ? select(sql`w.began_at`)
        : sql`${timed} union all ${anchored('start', times.start)} union all ${anchored('end', times.end)}`;
  const { rows } = await sql<DueWait>`
    select * from (${due}) d order by due, run_id limit ${most}`.execute(db);
  return rows;
}
