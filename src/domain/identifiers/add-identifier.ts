import { z } from 'zod';
import { TryAgain } from '../../database/org-transaction.ts';
import { defineOperation, type Work } from '../../database/work.ts';
import { IdentifierId, newId, PersonId } from '../../kernel/ids.ts';
import { compareIdentifiers, type SentIdentifier } from './compare-identifiers.ts';
import { refuseSecondExternalId } from './external-id-guard.ts';
import { IdentifierType, IdentifierValue, normalizeValue, sharedTypes } from './identifier.ts';
import { demotePrimary, refreshPrimaries } from './refresh-primaries.ts';
import { requirePerson } from './require-person.ts';
import { mustHaveRoom } from './room-for.ts';
import { restoreSuppression } from './suppressed-address.ts';

export const addIdentifier = defineOperation({
  name: 'add_identifier',
  title: 'Add an identifier',
  summary:
    'Attach an email, phone or other identifier to a person. If another person already holds the value, nothing is ' +
    'written and has_conflict is true, with the holder in existing_org_user_id.',
  permission: 'people.write',
  effect: 'add',
  repeatable: true,
  faces: { rest: ['POST /v1/people/:person_id/identifiers'], tool: true },
  input: z.strictObject({
    person_id: PersonId,
    identifier_type: IdentifierType,
    identifier_value: IdentifierValue.describe(
      'Emails are lowercased; phones are compared in international form, however they are written.',
    ),
    is_contact_method: z.boolean().default(false).describe('Whether messages may be sent to it.'),
    is_primary_for_type: z
      .boolean()
      .default(false)
      .describe('Makes it the primary of its type, demoting another.'),
  }),
  output: z.object({
    action: z.enum(['added', 'updated', 'unchanged', 'conflict']),
    is_primary: z.boolean(),
    was_primary_updated: z.boolean(),
    details: z.string(),
    has_conflict: z.boolean(),
    existing_identifier_id: IdentifierId.nullable(),
    existing_org_user_id: PersonId.nullable(),
    new_org_user_id: PersonId.nullable(),
  }),
  handle: async (work, input) => {
    const type = input.identifier_type;
    await requirePerson(work, input.person_id, 'lock');
    const [sent] = await compareIdentifiers(work, [
      { type, value: normalizeValue(type, input.identifier_value) },
    ]);
    const { value } = sent!;
    const held = await findHeld(work, input.person_id, type, value);
    if (held !== undefined && held.person_id !== input.person_id) {
      return {
        action: 'conflict' as const,
        is_primary: held.is_primary_for_type,
        was_primary_updated: false,
        details:
          'Another person holds this identifier, so nothing was written. identify_person with identifiers of both ' +
          'merges the two for good.',
        has_conflict: true,
        existing_identifier_id: held.id as IdentifierId,
        existing_org_user_id: held.person_id as PersonId,
        new_org_user_id: null,
      };
    }
    const becomesPrimary = input.is_primary_for_type && held?.is_primary_for_type !== true;
    const becomesContact = input.is_contact_method && held?.is_contact_method !== true;
    if (becomesPrimary) await refuseSecondExternalId(work, input.person_id, type);
    const demoted = becomesPrimary && (await demotePrimary(work, input.person_id, type));
    if (held === undefined) await mustHaveRoom(work, input.person_id, 1);
    if (held === undefined) await insert(work, input.person_id, sent!, input);
    else if (becomesPrimary || becomesContact) {
      await work.db
        .updateTable('identifiers')
        .set({
          ...(becomesPrimary && { is_primary_for_type: true }),
          ...(becomesContact && { is_contact_method: true }),
        })
        .where('org_id', '=', work.org)
        .where('id', '=', held.id)
        .execute();
    }
    const changed = held === undefined || becomesPrimary || becomesContact;
    if (changed) {
      await refreshPrimaries(work, input.person_id);
      if (held === undefined) await restoreSuppression(work, input.person_id, [{ type, value }]);
      work.touched['person_id'] = input.person_id;
    }
    return {
      action:
        held === undefined ? ('added' as const) : changed ? ('updated' as const) : ('unchanged' as const),
      is_primary: becomesPrimary || held?.is_primary_for_type === true,
      was_primary_updated: demoted,
      details:
        held === undefined
          ? 'The identifier was added.'
          : changed
            ? 'The person had this identifier; its flags were raised.'
            : 'The person already has this identifier.',
      has_conflict: false,
      existing_identifier_id: (held?.id as IdentifierId | undefined) ?? null,
      existing_org_user_id: held === undefined ? null : input.person_id,
      new_org_user_id: held === undefined ? input.person_id : null,
    };
  },
});

async function findHeld(work: Work, person: PersonId, type: IdentifierType, value: string) {
  const query = work.db
    .selectFrom('identifiers')
    .select(['id', 'person_id', 'is_primary_for_type', 'is_contact_method'])
    .where('org_id', '=', work.org)
    .where('type', '=', type)
    .where('value', '=', value);
  return (sharedTypes.has(type) ? query.where('person_id', '=', person) : query).executeTakeFirst();
}

async function insert(
  work: Work,
  person: PersonId,
  { type, value, typed }: SentIdentifier,
  flags: { readonly is_contact_method: boolean; readonly is_primary_for_type: boolean },
): Promise<void> {
  const id = newId<IdentifierId>(work.now);
  const { numInsertedOrUpdatedRows } = await work.db
    .insertInto('identifiers')
    .values({
      org_id: work.org,
      id,
      person_id: person,
      type,
      value,
      typed: typed ?? null,
      is_contact_method: flags.is_contact_method,
      is_primary_for_type: flags.is_primary_for_type,
      created_at: work.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  // Another transaction took the value between the lookup and the insert.
  if (numInsertedOrUpdatedRows !== 1n) throw new TryAgain();
  work.touched['identifier_id'] = id;
}
