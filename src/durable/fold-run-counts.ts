import { sql } from 'kysely';
import type { Database } from '../database/pool.ts';

/** Folds the steps of each count that has more than a few into one, as for counts of people. */
export async function foldRunCounts(db: Database): Promise<number> {
  const { numAffectedRows } = await sql`
    with crowded as (
      select org_id, workflow_id, webinar_id from workflow_run_counts
      group by org_id, workflow_id, webinar_id having count(*) > 20 limit 1000
    ), taken as (
      delete from workflow_run_counts p
      using (
        select c.org_id, c.workflow_id, c.id from workflow_run_counts c join crowded d
          on d.org_id = c.org_id and d.workflow_id = c.workflow_id and d.webinar_id is not distinct from c.webinar_id
        order by c.org_id, c.workflow_id, c.id for update of c skip locked
      ) t
      where p.org_id = t.org_id and p.workflow_id = t.workflow_id and p.id = t.id
      returning p.org_id, p.workflow_id, p.webinar_id, p.step, p.forgotten
    )
    insert into workflow_run_counts (org_id, workflow_id, webinar_id, step, forgotten)
    select org_id, workflow_id, webinar_id, sum(step), sum(forgotten) from taken group by org_id, workflow_id, webinar_id`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0n);
}
