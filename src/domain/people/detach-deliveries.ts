import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import type { PersonId } from '../../kernel/ids.ts';

/**
 * Takes a person who is about to be deleted out of the ledger. The rows stay, so every total stays; where it went to and
 * what mail servers said of it go. What was still to come will not; what is being handed over at this moment is recorded
 * by its row, without the person.
 */
export async function detachDeliveries({ db, org }: Work, person: PersonId): Promise<void> {
  await sql`
    with held as (
      select id from deliveries where org_id = ${org} and person_id = ${person} order by id for update)
    update deliveries d set
      person_id = null, twin = 0, address = null, reply = null, history = '[]',
      state = case d.state when 'pending' then 'skipped' else d.state end,
      reason = case d.state when 'pending' then 'deleted' else d.reason end
    from held where d.org_id = ${org} and d.id = held.id`.execute(db);
}
