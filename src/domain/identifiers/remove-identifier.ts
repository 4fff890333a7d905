import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { IdentifierId, PersonId } from '../../kernel/ids.ts';
import { refuseChangedExternalId } from './external-id-guard.ts';
import { promoteOldest, refreshPrimaries } from './refresh-primaries.ts';
import { requirePerson } from './require-person.ts';
import { rememberSuppression } from './suppressed-address.ts';
import { findIdentifier } from './update-identifier.ts';

export const removeIdentifier = defineOperation({
  name: 'remove_identifier',
  title: 'Remove an identifier',
  summary:
    'Delete one identifier of a person. The person and its other identifiers stay. The place of a primary is taken by ' +
    'the oldest of its type that may be written to, if there is one.',
  permission: 'people.write',
  effect: 'destroy',
  faces: { rest: ['DELETE /v1/people/:person_id/identifiers/:identifier_id'], tool: true },
  input: z.strictObject({ person_id: PersonId, identifier_id: IdentifierId }),
  output: z.object({ removed: z.literal(true), identifier_id: IdentifierId }),
  handle: async (work, { person_id, identifier_id }) => {
    await requirePerson(work, person_id, 'lock');
    const found = await findIdentifier(work, person_id, identifier_id);
    refuseChangedExternalId(work, found.type);
    await rememberSuppression(work, person_id, found.value);
    await work.db
      .deleteFrom('identifiers')
      .where('org_id', '=', work.org)
      .where('id', '=', found.id)
      .execute();
    if (found.is_primary_for_type) await promoteOldest(work, person_id, found);
    await refreshPrimaries(work, person_id);
    Object.assign(work.touched, { person_id, identifier_id });
    return { removed: true as const, identifier_id };
  },
});
