import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Segments } from '../../database/tables.generated.ts';
import type { Work } from '../../database/work.ts';
import { Failure, type FieldError } from '../../kernel/failure.ts';
import { SegmentId } from '../../kernel/ids.ts';
import { MomentOut } from '../../kernel/moment.ts';
import { StoredCondition } from './condition.ts';
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

export type SegmentRow = Selectable<Segments>;

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

export const filtersOf = (row: Pick<SegmentRow, 'filters'>): StoredCondition[] =>
  row.filters as unknown as StoredCondition[];

export const findSegment = (work: Work, id: SegmentId): Promise<SegmentRow | undefined> =>
  work.db
    .selectFrom('segments')
    .selectAll()
    .where('org_id', '=', work.org)
    .where('id', '=', id)
    .executeTakeFirst();

export async function requireSegment(work: Work, id: SegmentId): Promise<SegmentRow> {
  const row = await findSegment(work, id);
  if (row === undefined) throw segmentNotFound();
  return row;
}

/** The segment, held until the transaction ends; one that the service keeps is refused. */
export async function requireOwnSegment(work: Work, id: SegmentId): Promise<SegmentRow> {
  const row = await work.db
    .selectFrom('segments')
    .selectAll()
    .where('org_id', '=', work.org)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw segmentNotFound();
  if (row.preset !== null) {
    throw new Failure(
      'system_segment',
      `${row.name} is kept by the service. Create a segment of your own with the filters you want.`,
    );
  }
  return row;
}

const segmentNotFound = (): Failure =>
  new Failure('not_found', 'No segment with this id exists in this organization.');
