import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { SegmentId } from '../../kernel/ids.ts';
import { requireOwnSegment } from '../filters/stored-segment.ts';
import { refuseWhileSending } from './used-by.ts';

export const deleteSegment = defineOperation({
  name: 'delete_segment',
  title: 'Delete a segment',
  summary:
    "Remove a segment's definition. Its people stay as they are. Refused for segments with is_system, and while a " +
    'broadcast is scheduled for it.',
  permission: 'people.write',
  effect: 'destroy',
  faces: { rest: ['DELETE /v1/segments/:segment_id'], tool: true },
  input: z.strictObject({ segment_id: SegmentId }),
  output: z.object({ deleted: z.literal(true), segment_id: SegmentId }),
  handle: async (work, { segment_id }) => {
    await requireOwnSegment(work, segment_id);
    await refuseWhileSending(work, 'segment_id', segment_id);
    await work.db
      .deleteFrom('segments')
      .where('org_id', '=', work.org)
      .where('id', '=', segment_id)
      .execute();
    work.touched['segment_id'] = segment_id;
    return { deleted: true as const, segment_id };
  },
});
