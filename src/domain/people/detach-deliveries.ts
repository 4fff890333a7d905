import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import type { PersonId } from '../../kernel/ids.ts';

/**
 * Takes a person who is about to be deleted out of the ledger. The rows stay, so every total stays; where it went to and
 * what mail servers said of it go. What was still to come will not; what is being handed over at this moment is recorded
 * by its row, without the person.
 */
export async function detachDeliveries(work: Work, person: PersonId): Promise<void> {
  const { db, org } = work;
  await waitForAudiences(work);
  await sql`
    with held as (
      select id from deliveries where org_id = ${org} and person_id = ${person} order by id for update)
    update deliveries d set
      person_id = null, twin = 0, address = null, reply = null, history = '[]',
      state = case d.state when 'pending' then 'skipped' else d.state end,
      reason = case d.state when 'pending' then 'deleted' else d.reason end
    from held where d.org_id = ${org} and d.id = held.id`.execute(db);
}

/**
 * Whoever reads an audience into the ledger holds the broadcast, and may have seen a person who goes at this moment.
 * Held until that is committed, none is being read or can be: every row that names the person is there to be changed.
 */
export async function waitForAudiences({ db, org }: Work): Promise<void> {
  await sql`
    select 1 from broadcasts where org_id = ${org} and status in ('scheduled', 'sending') and prepared_at is null
    order by id for key share`.execute(db);
}
