import type { Work } from '../../database/work.ts';
import { Failure } from '../../kernel/failure.ts';
import type { PersonId } from '../../kernel/ids.ts';
import { limits } from '../../kernel/limits.ts';

const most = limits.identifiers_of_person;

/** How many more identifiers each of these people may get. The caller has locked them. */
export async function roomFor(
  { db, org }: Work,
  people: readonly PersonId[],
): Promise<(person: PersonId) => number> {
  if (people.length === 0) return () => most;
  const rows = await db
    .selectFrom('identifiers')
    .select((eb) => ['person_id', eb.fn.countAll<number>().as('count')])
    .where('org_id', '=', org)
    .where('person_id', 'in', people)
    .groupBy('person_id')
    .execute();
  const counts = new Map(rows.map(({ person_id, count }) => [person_id, count]));
  return (person) => Math.max(0, most - (counts.get(person) ?? 0));
}

/** Refuses more identifiers than the person has room for: a caller that names them knows which to leave out. */
export async function mustHaveRoom(work: Work, person: PersonId, wanted: number): Promise<void> {
  if (wanted === 0 || (await roomFor(work, [person]))(person) >= wanted) return;
  throw new Failure(
    'invalid_request',
    `A person may have ${most} identifiers and this one has no room for ${wanted} more. Remove some with ` +
      'remove_identifier first.',
  );
}
