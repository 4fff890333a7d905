import { z } from 'zod';
import type { FieldError } from '../../kernel/failure.ts';
import { SegmentId } from '../../kernel/ids.ts';
import { MomentOut } from '../../kernel/moment.ts';
import { StoredCondition } from '../filters/condition.ts';
import { filtersOf, type SegmentRow } from '../filters/stored-segment.ts';
import type { Use } from './used-by.ts';

export const Segment = z
  .object({
    id: SegmentId,
    name: z.string(),
    description: z.string().nullable(),
    color: z.string().nullable(),
    is_system: z.boolean().describe('Kept by the service: it can be read, not changed.'),
    filters: z.array(StoredCondition),
    warnings: z
      .array(z.object({ pointer: z.string(), code: z.string(), detail: z.string() }))
      .describe(
        'Conditions that match nobody because what they ask about is gone; dates read without a zone.',
      ),
    used_by: z
      .array(z.object({ kind: z.enum(['broadcast', 'workflow']), id: z.guid(), name: z.string() }))
      .describe('What sends to this segment or is about to; the newest 20.'),
    created_at: MomentOut,
    updated_at: MomentOut,
  })
  .meta({ id: 'Segment' });

export const segmentInput = {
  name: z.string().trim().min(1).max(200),
  description: z.string().max(2_000).nullable(),
  color: z
    .string()
    .regex(/^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, 'A color is # and three or six hex digits, as in #2563eb.')
    .nullable(),
};

export const toSegment = (
  row: SegmentRow,
  warnings: readonly FieldError[] = [],
  uses: readonly Use[] = [],
): z.input<typeof Segment> => ({
  id: row.id as SegmentId,
  name: row.name,
  description: row.description,
  color: row.color,
  is_system: row.preset !== null,
  filters: filtersOf(row),
  warnings: warnings.map(({ pointer, code, detail }) => ({ pointer, code, detail })),
  used_by: [...uses],
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
