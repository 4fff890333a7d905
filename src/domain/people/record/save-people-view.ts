import { sql } from 'kysely';
import { z } from 'zod';
import { holdOrgLock } from '../../../database/locks.ts';
import { defineOperation } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { newId } from '../../../kernel/ids.ts';
import { readPeopleFilter } from './people-filter-input.ts';
import { mostViews, PeopleView, toView, viewShape } from './people-view.ts';

export const savePeopleView = defineOperation({
  name: 'save_people_view',
  title: 'Save a view of people',
  summary:
    'Keep filters, sorting and columns of the list of people under a name, for all members. A view that has the name ' +
    'already, in whatever capitals, shows this from now on.',
  permission: 'people.write',
  effect: 'change',
  repeatable: true,
  creates: ({ created }) => created === true,
  faces: { rest: ['POST /v1/people-views'] },
  input: z.strictObject({ name: z.string().trim().min(1).max(60), ...viewShape }),
  output: z.object({ view: PeopleView, created: z.boolean() }),
  handle: async (work, { name, ...shows }) => {
    await readPeopleFilter(work, shows.filters); // what lists would refuse is not kept
    // Under an exclusive lock: two calls at once would both count too few.
    await holdOrgLock(work, 'saving_people_view');
    const { views, same } = await work.db
      .selectFrom('people_views')
      .select((eb) => [
        eb.fn.countAll<number>().as('views'),
        eb.fn
          .countAll<number>()
          .filterWhere(sql`lower(name)`, '=', sql`lower(${name})`)
          .as('same'),
      ])
      .where('org_id', '=', work.org)
      .executeTakeFirstOrThrow();
    if (same === 0 && views >= mostViews)
      throw new Failure('invalid_request', `An organization may have ${mostViews} views; delete one first.`);
    const changed = { name, shows: JSON.stringify(shows), updated_at: work.now };
    const row = await work.db
      .insertInto('people_views')
      .values({ org_id: work.org, id: newId(work.now), created_at: work.now, ...changed })
      .onConflict((conflict) => conflict.expression(sql`org_id, lower(name)`).doUpdateSet(changed))
      .returningAll()
      .executeTakeFirstOrThrow();
    work.touched['view_id'] = row.id;
    return { view: toView(row), created: same === 0 };
  },
});
