import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { PeopleViews } from '../../../database/tables.generated.ts';
import { PeopleViewId } from '../../../kernel/ids.ts';
import { MomentOut } from '../../../kernel/moment.ts';
import { sortFields } from './page-of-people.ts';
import { peopleFilterInput } from './people-filter-input.ts';
import { columnFields } from './person.ts';

/** list_people_views answers all of them at once. */
export const mostViews = 50;

/** What a view shows, as list_people takes it, and in which columns. */
export const viewShape = {
  filters: z.strictObject(peopleFilterInput).default({}),
  sort: z.enum(sortFields).optional(),
  order: z.enum(['asc', 'desc']).optional().describe('As list_people takes it.'),
  columns: z
    .array(z.enum(columnFields))
    .max(columnFields.length)
    .refine((names) => new Set(names).size === names.length, 'Name each column once.')
    .optional()
    .describe('In this order; the usual ones if it is left out.'),
};

export const PeopleView = z
  .object({
    id: PeopleViewId,
    name: z.string(),
    ...viewShape,
    created_at: MomentOut,
    updated_at: MomentOut,
  })
  .meta({ id: 'PeopleView' });

export const toView = (row: Selectable<PeopleViews>): z.input<typeof PeopleView> => ({
  ...(row.shows as object),
  id: row.id as PeopleViewId,
  name: row.name,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
