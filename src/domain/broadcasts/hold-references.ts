import { TryAgain } from '../../database/org-transaction.ts';
import type { Work } from '../../database/work.ts';
import type { BroadcastId } from '../../kernel/ids.ts';
import { requireBroadcast, type StoredBroadcast } from './broadcast-rows.ts';

/**
 * Holds a broadcast and what it refers to while it is scheduled: whoever deletes one of these waits, and finds it in
 * use. What it refers to comes first, as in a deletion, which goes from there to the broadcast: the other way round the
 * two would wait for each other until the database notices, a second later.
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
