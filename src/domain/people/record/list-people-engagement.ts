import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { PersonId } from '../../../kernel/ids.ts';
import { personNotFound } from '../../identifiers/require-person.ts';
import { Beside, besideColumns, toBeside } from './person.ts';

const most = 200;

export const listPeopleEngagement = defineOperation({
  name: 'list_people_engagement',
  title: 'List how engaged people are',
  summary: `Health, engagement score and last opening of up to ${most} people, such as those of a page of list_people.`,
  permission: 'people.read',
  effect: 'read',
  faces: { rest: ['POST /v1/people/engagement'] },
  input: z.strictObject({ person_ids: z.array(PersonId).min(1).max(most) }),
  output: z.object({
    people: z.array(Beside.extend({ person_id: PersonId }).meta({ id: 'PersonEngagement' })),
  }),
  handle: async (work, { person_ids }) => {
    const rows = await work.db
      .selectFrom('people')
      .select(['id', ...besideColumns])
      .where('org_id', '=', work.org)
      .where('id', 'in', person_ids)
      .execute();
    const found = new Map(rows.map((row) => [row.id, row]));
    const missing = person_ids.find((id) => !found.has(id.toLowerCase()));
    if (missing !== undefined) throw await personNotFound(work, missing);
    return {
      people: rows.map((row) => ({ person_id: row.id as PersonId, ...toBeside(row, work) })),
    };
  },
});
