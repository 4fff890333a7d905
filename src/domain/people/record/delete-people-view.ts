import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { PeopleViewId } from '../../../kernel/ids.ts';

export const deletePeopleView = defineOperation({
  name: 'delete_people_view',
  title: 'Delete a view of people',
  summary: 'Remove a saved view. The people in it stay as they are.',
  permission: 'people.write',
  effect: 'destroy',
  faces: { rest: ['DELETE /v1/people-views/:view_id'] },
  input: z.strictObject({ view_id: PeopleViewId }),
  output: z.object({ deleted: z.literal(true), view_id: PeopleViewId }),
  handle: async (work, { view_id }) => {
    const { numDeletedRows } = await work.db
      .deleteFrom('people_views')
      .where('org_id', '=', work.org)
      .where('id', '=', view_id)
      .executeTakeFirst();
    if (numDeletedRows === 0n)
      throw new Failure('not_found', 'No view with this id exists in this organization.');
    work.touched['view_id'] = view_id;
    return { deleted: true as const, view_id };
  },
});
