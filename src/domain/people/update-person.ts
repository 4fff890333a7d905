import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { PersonId } from '../../kernel/ids.ts';
import { MomentOut } from '../../kernel/moment.ts';
import { personNotFound } from '../identifiers/require-person.ts';
import { rename } from './resolve-person.ts';

const Name = z.string().trim().max(200).nullable().optional().describe('null or empty removes it.');

export const updatePerson = defineOperation({
  name: 'update_person',
  title: 'Update a person',
  summary:
    "Set or remove a person's names. What is left out stays. Addresses and external ids are identifiers, and everything " +
    'else an organization knows is a custom property: both have routes of their own.',
  permission: 'people.write',
  power: 'replace_names',
  effect: 'change',
  repeatable: true,
  faces: { rest: ['PATCH /v1/people/:person_id'] },
  input: z
    .strictObject({ person_id: PersonId, first_name: Name, last_name: Name })
    .refine(
      ({ first_name, last_name }) => first_name !== undefined || last_name !== undefined,
      'Send first_name, last_name or both.',
    ),
  // Names are not answered: people.write alone does not let anybody read them.
  output: z.object({ person_id: PersonId, updated_at: MomentOut }),
  handle: async (work, { person_id, ...sent }) => {
    const stored = await work.db
      .selectFrom('people')
      .select(['first_name', 'last_name', 'updated_at'])
      .where('org_id', '=', work.org)
      .where('id', '=', person_id)
      .forUpdate()
      .executeTakeFirst();
    if (stored === undefined) throw await personNotFound(work, person_id);
    const wanted = {
      first_name: sent.first_name === undefined ? stored.first_name : sent.first_name || null,
      last_name: sent.last_name === undefined ? stored.last_name : sent.last_name || null,
    };
    if (wanted.first_name === stored.first_name && wanted.last_name === stored.last_name)
      return { person_id, updated_at: stored.updated_at.toISOString() };
    await rename(work, person_id, wanted);
    work.touched['person_id'] = person_id;
    return { person_id, updated_at: work.now.toISOString() };
  },
});
