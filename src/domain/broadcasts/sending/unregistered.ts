import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import type { Claimed } from '../../delivery/ledger/ledger.ts';

/**
 * Finds the messages of a workflow whose registration was taken back. They have no audience to leave, so the workflow's
 * run decides. For two runs that a merge made one, the merge has decided already.
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
