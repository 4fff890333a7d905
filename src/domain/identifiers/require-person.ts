import { Failure } from '../../kernel/failure.ts';
import type { PersonId } from '../../kernel/ids.ts';
import type { Work } from '../../database/work.ts';

/** That the person is there; a writer holds it still until the transaction ends. */
export async function requirePerson(work: Work, id: PersonId, hold: 'look' | 'lock' = 'look'): Promise<void> {
  const query = work.db.selectFrom('people').select('id').where('org_id', '=', work.org).where('id', '=', id);
  const found = await (hold === 'lock' ? query.forUpdate() : query).executeTakeFirst();
  if (found === undefined) throw await personNotFound(work, id);
}

/** The refusal for a person that is not there, telling where it went if it was merged. */
export async function personNotFound(work: Work, id: PersonId): Promise<Failure> {
  const merged = await work.db
    .selectFrom('merged_people')
    .select('survivor_id')
    .where('org_id', '=', work.org)
    .where('id', '=', id)
    .executeTakeFirst();
  return merged === undefined
    ? new Failure('not_found', 'No person with this id exists in this organization.')
    : new Failure('not_found', `This person was merged into ${merged.survivor_id}: use that id.`, {
        merged_into: merged.survivor_id,
      });
}
