import { z } from 'zod';
import { defineOperation, type Work } from '../../database/work.ts';
import { Failure } from '../../kernel/failure.ts';
import { IdentifierId, PersonId } from '../../kernel/ids.ts';
import {
  Identifier,
  IdentifierValue,
  normalizeValue,
  toIdentifier,
  type IdentifierType,
} from './identifier.ts';
import { refuseChangedExternalId } from './external-id-guard.ts';
import { compareIdentifiers } from './compare-identifiers.ts';
import { demotePrimary, promoteOldest, refreshPrimaries } from './refresh-primaries.ts';
import { requirePerson } from './require-person.ts';
import { rememberSuppression, restoreSuppression } from './suppressed-address.ts';

export const updateIdentifier = defineOperation({
  name: 'update_identifier',
  title: 'Change an identifier',
  summary:
    'Change the value or the flags of one identifier; its type stays. Making it primary demotes the previous primary ' +
    'of that type; one that stops being primary gives way to the oldest other that may be written to.',
  permission: 'people.write',
  effect: 'change',
  repeatable: true,
  faces: { rest: ['PATCH /v1/people/:person_id/identifiers/:identifier_id'], tool: true },
  input: z
    .strictObject({
      person_id: PersonId,
      identifier_id: IdentifierId,
      identifier_value: IdentifierValue.optional().describe('The new value.'),
      is_contact_method: z.boolean().optional(),
      is_primary_for_type: z.boolean().optional(),
    })
    .refine(
      (input) =>
        (input.identifier_value ?? input.is_contact_method ?? input.is_primary_for_type) !== undefined,
      'Send at least one of identifier_value, is_contact_method and is_primary_for_type.',
    ),
  output: z.object({ identifier: Identifier }),
  handle: async (work, input) => {
    await requirePerson(work, input.person_id, 'lock');
    const old = await findIdentifier(work, input.person_id, input.identifier_id);
    const { value, typed = null } = await changedValue(work, old, input.identifier_value);
    const turned = (input.is_primary_for_type ?? old.is_primary_for_type) !== old.is_primary_for_type;
    if (turned || value !== old.value) refuseChangedExternalId(work, old.type);
    if (input.is_primary_for_type === true && !old.is_primary_for_type) {
      await demotePrimary(work, input.person_id, old.type);
    }
    if (value !== old.value) await rememberSuppression(work, input.person_id, old.value);
    const changed = await work.db
      .updateTable('identifiers')
      .set({
        value,
        typed,
        is_contact_method: input.is_contact_method ?? old.is_contact_method,
        is_primary_for_type: input.is_primary_for_type ?? old.is_primary_for_type,
      })
      .where('org_id', '=', work.org)
      .where('id', '=', old.id)
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch(explainTaken);
    if (old.is_primary_for_type && !changed.is_primary_for_type)
      await promoteOldest(work, input.person_id, old);
    await refreshPrimaries(work, input.person_id);
    if (value !== old.value) await restoreSuppression(work, input.person_id, [changed]);
    Object.assign(work.touched, { person_id: input.person_id, identifier_id: old.id });
    return { identifier: toIdentifier(changed) };
  },
});

interface Changed {
  readonly value: string;
  readonly typed?: string | null | undefined;
}

async function changedValue(
  work: Work,
  old: Changed & { readonly type: string },
  sent: string | undefined,
): Promise<Changed> {
  if (sent === undefined) return old;
  const type = old.type as IdentifierType;
  return (await compareIdentifiers(work, [{ type, value: normalizeValue(type, sent) }]))[0]!;
}

const uniqueViolation = '23505';

function explainTaken(error: unknown): never {
  if ((error as { code?: string }).code !== uniqueViolation) throw error;
  throw new Failure('identifier_taken', 'Another identifier in this organization already has that value.');
}

/** The identifier, if it is this person's. */
export async function findIdentifier(work: Work, person: PersonId, id: IdentifierId) {
  const found = await work.db
    .selectFrom('identifiers')
    .selectAll()
    .where('org_id', '=', work.org)
    .where('id', '=', id)
    .where('person_id', '=', person)
    .executeTakeFirst();
  if (found === undefined) throw new Failure('not_found', 'This person has no identifier with this id.');
  return found;
}
