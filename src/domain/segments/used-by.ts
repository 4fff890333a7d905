import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import { Failure } from '../../kernel/failure.ts';

export interface Use {
  readonly kind: 'broadcast';
  readonly id: string;
  readonly name: string;
}

const mostNamed = 20; // of one segment, the newest

/** The unfinished broadcasts that use each of the segments. */
export async function readUses(work: Work, segments: readonly string[]): Promise<Map<string, Use[]>> {
  const { rows } = await sql<{ segment_id: string; id: string; subject: string | null }>`
    select s.segment_id, b.id, b.subject
    from unnest(${segments}::uuid[]) s(segment_id), lateral (
      select id, subject from broadcasts
      where org_id = ${work.org} and segment_id = s.segment_id and status in ('draft', 'scheduled', 'sending')
      order by created_at desc, id desc limit ${mostNamed}) b`.execute(work.db);
  const uses = new Map<string, Use[]>();
  for (const { segment_id, id, subject } of rows) {
    const use: Use = { kind: 'broadcast', id, name: subject ?? 'A broadcast without a subject' };
    uses.set(segment_id, [...(uses.get(segment_id) ?? []), use]);
  }
  return uses;
}

/** Refuses to delete the segment or the sender of a scheduled broadcast, which would lose what it means. */
export async function refuseWhileSending(
  work: Work,
  column: 'segment_id' | 'sender_id',
  id: string,
): Promise<void> {
  const found = await work.db
    .selectFrom('broadcasts')
    .select('id')
    .where('org_id', '=', work.org)
    .where(column, '=', id)
    .where('workflow_id', 'is', null) // a workflow's mailing is no broadcast to unschedule
    .where('status', 'in', ['scheduled', 'sending'])
    .limit(1)
    .executeTakeFirst();
  if (found === undefined) return;
  throw new Failure('still_referenced', `Broadcast ${found.id} is scheduled with it. Unschedule that first.`);
}
