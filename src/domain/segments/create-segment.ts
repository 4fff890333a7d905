import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { newId } from '../../kernel/ids.ts';
import { SentFilters } from '../filters/condition.ts';
import { acceptFilters } from '../filters/read-filters.ts';
import { Segment, segmentInput, toSegment } from './segment.ts';
import { countPeople } from '../people/record/filter-people.ts';

export const createSegment = defineOperation({
  name: 'create_segment',
  title: 'Create a segment',
  summary:
    'Save a group of people by 1 to 20 conditions, all of which must match. Who belongs to it is evaluated at every ' +
    'read. Numbers and dates take gt, gte, lt, lte; numbers and texts eq and neq; texts contains, in, is_empty and ' +
    'is_not_empty; true or false properties eq. neq also matches people with no value.',
  permission: 'people.write',
  effect: 'add',
  cost: 'heavy',
  creates: true,
  faces: { rest: ['POST /v1/segments'], tool: true },
  input: z.strictObject({
    name: segmentInput.name,
    description: segmentInput.description.optional(),
    color: segmentInput.color.optional(),
    filters: SentFilters,
  }),
  output: z.object({
    segment: Segment,
    count: z
      .int()
      .nullable()
      .describe('Who is in it at this moment; null without the permission people.read.'),
  }),
  handle: async (work, { name, description, color, filters }) => {
    const { stored, conditions, warnings } = await acceptFilters(work, filters);
    const row = await work.db
      .insertInto('segments')
      .values({
        org_id: work.org,
        id: newId(work.now),
        name,
        description: description ?? null,
        color: color ?? null,
        filters: stored,
        created_at: work.now,
        updated_at: work.now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    work.touched['segment_id'] = row.id;
    const mayCount = work.caller.permissions.has('people.read');
    return {
      segment: toSegment(row, warnings),
      count: mayCount ? await countPeople(work, { conditions }) : null,
    };
  },
});
