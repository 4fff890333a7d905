import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import type { PersonId } from '../../../kernel/ids.ts';
import { holdBelongings } from './hold-belongings.ts';

/**
 * Takes a person who is about to be deleted out of the ledger. The rows stay, so every total stays; addresses and mail
 * servers' replies go. Pending messages are skipped; a message that is being handed over is recorded by its row,
 * without the person.
 */
export async function detachDeliveries(work: Work, person: PersonId): Promise<void> {
  const { db, org } = work;
  await holdBelongings(work, [person]);
  await sql`
    update deliveries d set
      person_id = null, twin = null, address = null, reply = null, history = '[]',
      state = case d.state when 'pending' then coalesce(d.former_state, 'skipped') else d.state end,
      reason = case when d.state <> 'pending' then d.reason when d.former_state is null then 'deleted'
        else d.former_reason end
    where d.org_id = ${org} and d.person_id = ${person}`.execute(db);
}
