import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import type { PersonId } from '../../../kernel/ids.ts';

/**
 * Locks what other transactions write to without locking the person: registrations, waits, rows of the ledger, and the
 * totals of their broadcasts. A merge or deletion, which holds the people alone, locks all of it here, each in the
 * order of ids; writing one row after another would lock rows, and the totals of several broadcasts, in any order.
 */
export async function holdBelongings(work: Work, people: readonly PersonId[]): Promise<void> {
  const { db, org } = work;
  await waitForAudiences(work);
  const theirs = sql`org_id = ${org} and person_id = any(${people}::uuid[])`;
  await sql`
    with registered as materialized (select 1 from registrations where ${theirs} order by id for update),
    waiting as materialized (
      select 1 from waits where org_id = ${org} and run_id = any(array(select id from workflow_runs where ${theirs}))
      order by run_id for update),
    addressed as materialized (select broadcast_id from deliveries where ${theirs} order by id for update),
    totals as materialized (
      select 1 from broadcasts where org_id = ${org} and id in (select broadcast_id from addressed)
      order by id for no key update)
    select (select count(*) from registered), (select count(*) from waiting), (select count(*) from totals)`.execute(
    db,
  );
}

/**
 * A transaction that reads an audience into the ledger holds the broadcast, and may have seen a person who goes at this
 * moment. While this one holds the broadcasts, no audience is being read: every row that names the person is there to
 * be changed.
 */
async function waitForAudiences({ db, org }: Work): Promise<void> {
  await sql`
    select 1 from broadcasts where org_id = ${org} and status in ('scheduled', 'sending') and prepared_at is null
    order by id for key share`.execute(db);
}
