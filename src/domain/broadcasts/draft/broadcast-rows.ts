import type { Selectable } from 'kysely';
import type { Broadcasts } from '../../../database/tables.generated.ts';
import type { Work } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import type { BroadcastId } from '../../../kernel/ids.ts';

const listed = [
  'b.id',
  'b.status',
  'b.channel',
  'b.audience',
  'b.segment_id',
  'b.webinar_id',
  'b.webinar_audience',
  'b.webinar_offset_minutes',
  'b.webinar_anchor',
  'b.subject',
  'b.preview_text',
  'b.sender_id',
  'b.send_at',
  'b.paced_over_hours',
  'b.started_at',
  'b.finished_at',
  'b.recipients',
  'b.sent',
  'b.skipped',
  'b.failed',
  'b.error',
  'b.revision',
  'b.created_at',
  'b.updated_at',
  'b.created_by',
  'b.planned_by',
  'b.scheduled_by',
  'b.hold_if_audience_changes_by',
  'b.planned_recipients',
  'b.held_at',
  'b.held_recipients',
] as const;

/** Broadcasts joined with what they refer to, as lists show them, without the mailings, which share the table. */
export const selectBroadcasts = (work: Work) =>
  work.db
    .selectFrom('broadcasts as b')
    .leftJoin('segments as s', (join) =>
      join.onRef('s.org_id', '=', 'b.org_id').onRef('s.id', '=', 'b.segment_id'),
    )
    .leftJoin('webinars as w', (join) =>
      join.onRef('w.org_id', '=', 'b.org_id').onRef('w.id', '=', 'b.webinar_id'),
    )
    .leftJoin('senders as f', (join) =>
      join.onRef('f.org_id', '=', 'b.org_id').onRef('f.id', '=', 'b.sender_id'),
    )
    .select(listed)
    .select([
      's.name as segment_name',
      'w.title as webinar_title',
      'w.start_time as webinar_start',
      'w.duration_minutes as webinar_minutes',
      'f.name as sender_name',
      'f.email as sender_email',
      'f.reply_to as sender_reply_to',
    ])
    .where('b.org_id', '=', work.org)
    .where('b.workflow_id', 'is', null);

export type ListedRow = Awaited<ReturnType<ReturnType<typeof selectBroadcasts>['execute']>>[number];
export type BroadcastRow = ListedRow & Pick<Selectable<Broadcasts>, 'html' | 'message_body' | 'variables'>;

/** One broadcast with its body, joined with what it refers to. */
export async function readBroadcast(work: Work, id: BroadcastId): Promise<BroadcastRow> {
  const row = await selectBroadcasts(work)
    .select(['b.html', 'b.message_body', 'b.variables'])
    .where('b.id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw broadcastNotFound();
  return row;
}

export type StoredBroadcast = Selectable<Broadcasts>;

/** The row itself. A writer locks it until the transaction ends: this lock decides every change of state. */
export async function requireBroadcast(
  work: Work,
  id: BroadcastId,
  hold: 'look' | 'lock' = 'look',
): Promise<StoredBroadcast> {
  const query = rowOf(work, id).where('workflow_id', 'is', null);
  const row = await (hold === 'lock' ? query.forUpdate() : query).executeTakeFirst();
  if (row === undefined) throw broadcastNotFound();
  return row;
}

/** Locks the broadcast or mailing that a lane sends, until the transaction ends. */
export const holdSent = (work: Work, id: BroadcastId): Promise<StoredBroadcast> =>
  rowOf(work, id).forUpdate().executeTakeFirstOrThrow();

const rowOf = (work: Work, id: BroadcastId) =>
  work.db.selectFrom('broadcasts').selectAll().where('org_id', '=', work.org).where('id', '=', id);

const broadcastNotFound = (): Failure =>
  new Failure('not_found', 'No broadcast with this id exists in this organization.');
