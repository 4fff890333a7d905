import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { BroadcastId } from '../../../kernel/ids.ts';
import { acceptDraft, toColumns } from './accept-draft.ts';
import { Broadcast, toBroadcast } from './broadcast.ts';
import { readBroadcast, requireBroadcast, type StoredBroadcast } from './broadcast-rows.ts';
import { DraftPatch } from './draft-input.ts';
import { refuseUnlessDraft } from './draft-only.ts';
import { draftOf } from './draft-of-row.ts';

export const updateBroadcast = defineOperation({
  name: 'update_broadcast',
  title: 'Change a draft broadcast',
  summary:
    'Change the fields sent; others stay. null clears preview_text, sender_id or webinar_offset_minutes. A new body ' +
    'replaces the whole body, variables the whole map; the two are judged together. A scheduled broadcast must be ' +
    'unscheduled first. Any change makes an earlier plan useless. With revision, refused if it is not the ' +
    'latest.',
  permission: 'broadcasts.write',
  effect: 'change',
  repeatable: true,
  faces: { rest: ['PATCH /v1/broadcasts/:broadcast_id'], tool: true },
  input: DraftPatch.extend({ broadcast_id: BroadcastId, revision: z.int().min(1).optional() }),
  output: z.object({ broadcast: Broadcast }),
  handle: async (work, { broadcast_id, revision: read, ...sent }) => {
    let revision = 0;
    const { before, after } = await acceptDraft(work, sent, async () => {
      const row = await requireBroadcast(work, broadcast_id, 'lock');
      refuseUnlessDraft(row);
      refuseUnlessAt(row, read);
      revision = row.revision;
      return draftOf(row);
    });
    if (!isDeepStrictEqual(before, after)) {
      await work.db
        .updateTable('broadcasts')
        .set({ ...toColumns(after), revision: revision + 1, updated_at: work.now })
        .where('org_id', '=', work.org)
        .where('id', '=', broadcast_id)
        .execute();
      work.touched['broadcast_id'] = broadcast_id;
    }
    return { broadcast: toBroadcast(await readBroadcast(work, broadcast_id)) };
  },
});

/** Of two who change what they both read, the second hears of it. */
function refuseUnlessAt({ revision }: StoredBroadcast, read: number | undefined): void {
  if (read === undefined || read === revision) return;
  throw new Failure(
    'broadcast_changed',
    `The broadcast is at revision ${revision} now, and you read ${read}: somebody changed it meanwhile. Read it again.`,
  );
}
