import { z } from 'zod';
import { PersonId } from '../../kernel/ids.ts';
import { defineOperation } from '../../database/work.ts';
import { Identifier, toIdentifier } from './identifier.ts';
import { requirePerson } from './require-person.ts';

export const listIdentifiers = defineOperation({
  name: 'list_identifiers',
  title: 'List identifiers',
  summary: "A person's identifiers (emails, phones, external ids, …), oldest first.",
  permission: 'people.read',
  effect: 'read',
  faces: { rest: ['GET /v1/people/:person_id/identifiers'], tool: true },
  input: z.strictObject({ person_id: PersonId }),
  output: z.object({ identifiers: z.array(Identifier) }),
  handle: async (work, { person_id }) => {
    await requirePerson(work, person_id);
    const rows = await work.db
      .selectFrom('identifiers')
      .selectAll()
      .where('org_id', '=', work.org)
      .where('person_id', '=', person_id)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return { identifiers: rows.map(toIdentifier) };
  },
});
