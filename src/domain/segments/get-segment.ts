import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { SegmentId } from '../../kernel/ids.ts';
import { readFilters } from '../filters/read-filters.ts';
import { Segment, toSegment } from './segment.ts';
import { filtersOf, requireSegment } from '../filters/stored-segment.ts';
import { readUses } from './used-by.ts';

export const getSegment = defineOperation({
  name: 'get_segment',
  title: 'Get a segment',
  summary:
    "A segment's name, color and conditions. Who is in it: list_segment_members. Conditions on a deleted property " +
    'match nobody and stand under warnings.',
  permission: 'people.read',
  effect: 'read',
  faces: { rest: ['GET /v1/segments/:segment_id'], tool: true },
  input: z.strictObject({ segment_id: SegmentId }),
  output: z.object({ segment: Segment }),
  handle: async (work, { segment_id }) => {
    const row = await requireSegment(work, segment_id);
    const { errors } = await readFilters(work, filtersOf(row));
    return { segment: toSegment(row, errors, (await readUses(work, [row.id])).get(row.id)) };
  },
});
