import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import type { Claimed } from '../delivery/ledger.ts';

/**
 * Which messages of a workflow are for a registration that was taken back. A workflow's message has no audience to
 * leave, so it is asked of the run. Of two runs that a merge made one, the merge has judged already.
 */
export async function unregisteredOf(
  { db, org }: Work,
  claimed: readonly Claimed[],
): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    select d.id from deliveries d join workflow_runs r on r.org_id = d.org_id and r.id = d.run_id
    where d.org_id = ${org} and d.id = any(${claimed.map(({ id }) => id)}::bigint[])
      and (r.outcome = 'unregistered' or (r.registration_id is not null and r.outcome is distinct from 'merged'
        and not exists (select 1 from registrations g where g.org_id = r.org_id and g.id = r.registration_id)))`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
}
