import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { mostViews, PeopleView, toView } from './people-view.ts';

export const listPeopleViews = defineOperation({
  name: 'list_people_views',
  title: 'List views of people',
  summary:
    'The views of people that members saved, the oldest first: filters, sorting and columns under a name.',
  permission: 'people.read',
  effect: 'read',
  faces: { rest: ['GET /v1/people-views'] },
  input: z.strictObject({}),
  output: z.object({ views: z.array(PeopleView) }),
  handle: async (work) => {
    const rows = await work.db
      .selectFrom('people_views')
      .selectAll()
      .where('org_id', '=', work.org)
      .orderBy('id')
      .limit(mostViews)
      .execute();
    return { views: rows.map(toView) };
  },
});
