import { holdPeople } from '../../database/hold-people.ts';
import { Failure } from '../../kernel/failure.ts';
import type { PersonId } from '../../kernel/ids.ts';
import type { Work } from '../../database/work.ts';

/** Refuses unless the person exists; a writer also locks the person until the transaction ends. */
export async function requirePerson(work: Work, id: PersonId, hold: 'look' | 'lock' = 'look'): Promise<void> {
  const isThere = hold === 'lock' ? (await holdPeople(work, [id], 'alone')).length > 0 : await find(work, id);
  if (!isThere) throw await personNotFound(work, id);
}

async function find({ db, org }: Work, id: PersonId): Promise<boolean> {
  const query = db.selectFrom('people').select('id').where('org_id', '=', org).where('id', '=', id);
  return (await query.executeTakeFirst()) !== undefined;
}

/** The refusal for a person that does not exist. Names the survivor if the person was merged. */
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
