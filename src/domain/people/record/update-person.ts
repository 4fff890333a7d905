import { z } from 'zod';
import { heldPeople } from '../../../database/hold-people.ts';
import { defineOperation } from '../../../database/work.ts';
import { PersonId } from '../../../kernel/ids.ts';
import { MomentOut } from '../../../kernel/moment.ts';
import { personNotFound } from '../../identifiers/require-person.ts';
import { forWritten, writtenFields } from '../../person-fields/fields.ts';
import { writeFields } from '../identify/resolve-person.ts';

const changes = forWritten(({ input }) => input.nullable().optional().describe('null or empty removes it.'));

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
    .strictObject({ person_id: PersonId, ...changes })
    .refine(
      (sent) => writtenFields.some((field) => sent[field] !== undefined),
      `Send at least one of ${writtenFields.join(' and ')}.`,
    ),
  // Returns no names: people.write alone does not permit reading them.
  output: z.object({ person_id: PersonId, updated_at: MomentOut }),
  handle: async (work, { person_id, ...sent }) => {
    const stored = await heldPeople(work, [person_id], 'alone')
      .select([...writtenFields, 'updated_at'])
      .executeTakeFirst();
    if (stored === undefined) throw await personNotFound(work, person_id);
    const wanted = forWritten((_, field) =>
      sent[field] === undefined ? stored[field] : sent[field] || null,
    );
    if (writtenFields.every((field) => wanted[field] === stored[field]))
      return { person_id, updated_at: stored.updated_at.toISOString() };
    await writeFields(work, person_id, wanted);
    work.touched['person_id'] = person_id;
    return { person_id, updated_at: work.now.toISOString() };
  },
});
