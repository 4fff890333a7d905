import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { SegmentId } from '../../kernel/ids.ts';
import { pageInput, pageOutput } from '../../kernel/page.ts';
import { countMembers } from '../filters/filter-to-sql.ts';
import { membersOf } from '../filters/read-filters.ts';
import { readMembers } from './page-of-members.ts';
import { PersonSummary, toSummary } from '../people/record/person.ts';

export const listSegmentMembers = defineOperation({
  name: 'list_segment_members',
  title: 'List the members of a segment',
  summary: 'Who is in a segment at this moment, newest first, with the full count in total.',
  permission: 'people.read',
  effect: 'read',
  cost: 'heavy',
  faces: { rest: ['GET /v1/segments/:segment_id/members'], tool: true },
  input: z.strictObject({ segment_id: SegmentId, ...pageInput }),
  output: z.object({ people: z.array(PersonSummary), ...pageOutput }),
  handle: async (work, { segment_id, limit, offset }) => {
    const conditions = await membersOf(work, segment_id);
    const count = await countMembers(work, conditions);
    const rows = await readMembers(work, conditions, count, { limit, offset });
    return {
      people: rows.map((row) => toSummary(row, work)),
      total: count.total,
      limit,
      offset,
    };
  },
});
