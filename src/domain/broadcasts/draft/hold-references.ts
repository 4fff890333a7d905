import { TryAgain } from '../../../database/org-transaction.ts';
import type { Work } from '../../../database/work.ts';
import type { BroadcastId } from '../../../kernel/ids.ts';
import { requireBroadcast, type StoredBroadcast } from './broadcast-rows.ts';

/**
 * Locks a broadcast and its references while it is scheduled: a deletion of one of these waits, and then finds it in
 * use. The references come first, because a deletion goes from them to the broadcast: the opposite order would deadlock
 * until the database notices, a second later.
 */
export async function holdWithReferences(work: Work, broadcast: BroadcastId): Promise<StoredBroadcast> {
  const seen = await requireBroadcast(work, broadcast);
  for (const [table, id] of [
    ['segments', seen.segment_id],
    ['senders', seen.sender_id],
  ] as const) {
    if (id === null) continue;
    await work.db
      .selectFrom(table)
      .select('id')
      .where('org_id', '=', work.org)
      .where('id', '=', id)
      .forShare()
      .execute();
  }
  const row = await requireBroadcast(work, broadcast, 'lock');
  if (row.segment_id !== seen.segment_id || row.sender_id !== seen.sender_id) throw new TryAgain();
  return row;
}
