import { sql, type RawBuilder } from 'kysely';
import type { Work } from '../../../database/work.ts';
import type { PersonId } from '../../../kernel/ids.ts';
import type { WebinarTimes } from '../shape/times.ts';

/** A wait that is due, with its run and person. */
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
 * The due waits of a clock, the earliest first. Each of the three ways to be due is a range of an index, so the cost
 * does not depend on how many others wait. All waits of a canceled webinar are due.
 *
 * A caller that releases many passes `from`, the due time to continue at: released waits stay in the index until it is
 * vacuumed, and walking over them took longer with every part.
 */
export async function findDue(
  { db, org, now }: Work,
  clock: string,
  times: WebinarTimes | undefined,
  { most, from = new Date(0) }: { readonly most: number; readonly from?: Date | undefined },
): Promise<DueWait[]> {
  const some = (due: RawBuilder<unknown>, where: RawBuilder<unknown>) => sql`
    (select w.run_id, w.person_id, w.workflow_id, w.version, w.node, w.anchor is not null as anchored, w.began_at,
      ${due} as due
    from waits w where w.org_id = ${org} and w.clock_id = ${clock} and ${where} limit ${most})`;
  const anchored = (anchor: 'start' | 'end', moment: Date) =>
    some(
      sql`${moment}::timestamptz + w.offset_ms * interval '1 millisecond'`,
      sql`not w.held and w.anchor = ${anchor} and w.offset_ms between ${from.getTime() - moment.getTime()}
        and ${now.getTime() - moment.getTime()} order by w.offset_ms`,
    );
  const timed = some(
    sql`w.due_at`,
    sql`not w.held and w.anchor is null and w.due_at between ${from} and ${now} order by w.due_at`,
  );
  const ways =
    times === undefined
      ? [timed]
      : times.isCanceled
        ? [some(sql`w.began_at`, sql`w.anchor is not null`), some(sql`w.began_at`, sql`w.anchor is null`)]
        : [timed, anchored('start', times.start), anchored('end', times.end)];
  const { rows } = await sql<DueWait>`
    select * from (${sql.join(ways, sql` union all `)}) d order by due limit ${most}`.execute(db);
  return rows;
}
