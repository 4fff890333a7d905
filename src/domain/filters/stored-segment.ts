import type { Selectable } from 'kysely';
import type { Segments } from '../../database/tables.generated.ts';
import type { Work } from '../../database/work.ts';
import { Failure } from '../../kernel/failure.ts';
import type { SegmentId } from '../../kernel/ids.ts';
import type { StoredCondition } from './condition.ts';

export type SegmentRow = Selectable<Segments>;

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
