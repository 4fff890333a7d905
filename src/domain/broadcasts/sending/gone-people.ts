import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import type { PersonId } from '../../../kernel/ids.ts';
import type { Claimed } from '../../delivery/ledger/ledger.ts';
import { moveDeliveries } from '../../people/merge/move-deliveries.ts';

/**
 * Among recipients whose person could not be locked, finds the rows of deleted people. A person merged since the claim
 * is not gone: the row is the survivor's by now, or is moved here if the merge came while the audience was being
 * written; it becomes pending and is checked again.
 */
export async function deletedAmong(work: Work, missing: readonly Claimed[]): Promise<Set<number>> {
  if (missing.length === 0) return new Set();
  const { rows } = await sql<{ id: number; person_id: PersonId; survivor_id: PersonId | null }>`
    select d.id, d.person_id, m.survivor_id
    from deliveries d left join merged_people m on m.org_id = d.org_id and m.id = d.person_id
    where d.org_id = ${work.org} and d.id = any(${missing.map(({ id }) => id)}::bigint[])
      and not exists (select 1 from people p where p.org_id = d.org_id and p.id = d.person_id)`.execute(
    work.db,
  );
  for (const { person_id, survivor_id } of rows) {
    if (survivor_id !== null) await moveDeliveries(work, survivor_id, [person_id]);
  }
  return new Set(rows.filter(({ survivor_id }) => survivor_id === null).map(({ id }) => id));
}
