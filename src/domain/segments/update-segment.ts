import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { SegmentId } from '../../kernel/ids.ts';
import { SentFilters } from '../filters/condition.ts';
import { acceptFilters, readFilters } from '../filters/read-filters.ts';
import { Segment, segmentInput, toSegment } from './segment.ts';
import { filtersOf, requireOwnSegment } from '../filters/stored-segment.ts';
import { readUses } from './used-by.ts';

export const updateSegment = defineOperation({
  name: 'update_segment',
  title: 'Update a segment',
  summary:
    'Change a segment. What is left out stays; filters replaces the whole set of conditions. Segments with is_system ' +
    'are refused.',
  permission: 'people.write',
  effect: 'change',
  repeatable: true,
  faces: { rest: ['PATCH /v1/segments/:segment_id'], tool: true },
  input: z
    .strictObject({
      segment_id: SegmentId,
      name: segmentInput.name.optional(),
      description: segmentInput.description.optional().describe('null removes it.'),
      color: segmentInput.color.optional().describe('null removes it.'),
      filters: SentFilters.optional(),
    })
    .refine(
      ({ name, description, color, filters }) =>
        [name, description, color, filters].some((change) => change !== undefined),
      'Send name, description, color or filters.',
    ),
  output: z.object({ segment: Segment }),
  handle: async (work, { segment_id, filters, ...changes }) => {
    await requireOwnSegment(work, segment_id);
    const accepted = filters === undefined ? undefined : await acceptFilters(work, filters);
    const row = await work.db
      .updateTable('segments')
      .set({
        ...changes,
        ...(accepted !== undefined && { filters: accepted.stored }),
        updated_at: work.now,
      })
      .where('org_id', '=', work.org)
      .where('id', '=', segment_id)
      .returningAll()
      .executeTakeFirstOrThrow();
    work.touched['segment_id'] = segment_id;
    const { errors } = await readFilters(work, filtersOf(row));
    const warnings = [...(accepted?.warnings ?? []), ...errors];
    return { segment: toSegment(row, warnings, (await readUses(work, [row.id])).get(row.id)) };
  },
});
