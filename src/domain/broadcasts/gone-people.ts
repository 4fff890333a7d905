import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import type { PersonId } from '../../kernel/ids.ts';
import type { Claimed } from '../delivery/ledger.ts';
import { moveDeliveries } from '../people/move-deliveries.ts';

/**
 * Of recipients whose person could not be held: the rows of those who are not there at all. Somebody who was merged
 * since the row was claimed is not gone: the row is the survivor's by now, or is made so, should the merge have come
 * while the audience was being written down; and it goes back to be looked at again.
 */
export async function goneOf(work: Work, missing: readonly Claimed[]): Promise<Set<number>> {
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
