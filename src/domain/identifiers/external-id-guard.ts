import type { Work } from '../../database/work.ts';
import { Failure } from '../../kernel/failure.ts';
import type { PersonId } from '../../kernel/ids.ts';

const type = 'org_assigned_user_id';

const isGuarded = ({ caller }: Work, changed: string): boolean =>
  changed === type && !caller.powers.has('replace_external_id');

/** The external id that a person has is the organization's: programs rely on it, and a model must not change it. */
export function refuseChangedExternalId(work: Work, changed: string): void {
  if (!isGuarded(work, changed)) return;
  throw new Failure(
    'forbidden',
    'An external id that a person has can be changed or removed by an organization API key over REST only. Ask ' +
      'somebody who has one.',
  );
}

/** A first one may be given; another in its place may not. */
export async function refuseSecondExternalId(work: Work, person: PersonId, added: string): Promise<void> {
  if (!isGuarded(work, added)) return;
  const has = await work.db
    .selectFrom('identifiers')
    .select('id')
    .where('org_id', '=', work.org)
    .where('person_id', '=', person)
    .where('type', '=', type)
    .limit(1)
    .executeTakeFirst();
  if (has !== undefined) refuseChangedExternalId(work, added);
}
