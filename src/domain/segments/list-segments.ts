import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { pageInput, pageOutput } from '../../kernel/page.ts';
import { warningsOf } from './read-filters.ts';
import { filtersOf, Segment, toSegment } from './segment.ts';
import { readUses } from './used-by.ts';

export const listSegments = defineOperation({
  name: 'list_segments',
  title: 'List segments',
  summary: 'The saved segments, newest first, the ones kept by the service among them.',
  permission: 'people.read',
  effect: 'read',
  faces: { rest: ['GET /v1/segments'], tool: true },
  input: z.strictObject({
    ...pageInput,
    limit: pageInput.limit.removeDefault().default(200).describe('How many to return.'),
  }),
  output: z.object({ segments: z.array(Segment), ...pageOutput }),
  handle: async (work, { limit, offset }) => {
    const ours = work.db.selectFrom('segments').where('org_id', '=', work.org);
    const { total } = await ours
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const rows = await ours
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute();
    const warnings = await warningsOf(work, rows.map(filtersOf));
    const uses = await readUses(
      work,
      rows.map(({ id }) => id),
    );
    const segments = rows.map((row, index) => toSegment(row, warnings[index], uses.get(row.id)));
    return { segments, total, limit, offset };
  },
});
