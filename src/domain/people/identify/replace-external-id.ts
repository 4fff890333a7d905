import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { IdentifierValue } from '../../identifiers/identifier.ts';
import { demotePrimary, refreshPrimaries } from '../../identifiers/refresh-primaries.ts';
import { requirePerson } from '../../identifiers/require-person.ts';
import { PersonId } from '../../../kernel/ids.ts';
import { attachIdentifiers } from './create-person.ts';

export const replaceExternalId = defineOperation({
  name: 'replace_external_id',
  title: 'Replace an external id',
  summary:
    'Give a person another external id in place of the one it has. The old one stays as a further identifier, so that ' +
    'what still carries it finds the person.',
  permission: 'people.write',
  power: 'replace_external_id',
  effect: 'change',
  repeatable: true,
  faces: { rest: ['PUT /v1/people/:person_id/external-id'] },
  input: z.strictObject({ person_id: PersonId, external_user_id: IdentifierValue }),
  output: z.object({ person_id: PersonId, external_user_id: z.string() }),
  handle: async (work, { person_id, external_user_id }) => {
    await requirePerson(work, person_id, 'lock');
    const type = 'org_assigned_user_id';
    const held = await work.db
      .selectFrom('identifiers')
      .select(['id', 'person_id', 'is_primary_for_type'])
      .where('org_id', '=', work.org)
      .where('type', '=', type)
      .where('value', '=', external_user_id)
      .executeTakeFirst();
    if (held !== undefined && held.person_id !== person_id) {
      throw new Failure('identifier_taken', 'Another person has this external id.');
    }
    if (held?.is_primary_for_type !== true) {
      await demotePrimary(work, person_id, type);
      if (held === undefined) await attachIdentifiers(work, person_id, [{ type, value: external_user_id }]);
      else {
        await work.db
          .updateTable('identifiers')
          .set({ is_primary_for_type: true })
          .where('org_id', '=', work.org)
          .where('id', '=', held.id)
          .execute();
        await refreshPrimaries(work, person_id);
      }
      work.touched['person_id'] = person_id;
    }
    return { person_id, external_user_id };
  },
});
