import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { newId, type BroadcastId } from '../../../kernel/ids.ts';
import { readSettings } from '../../orgs/settings.ts';
import { acceptDraft, toColumns } from './accept-draft.ts';
import { Broadcast, toBroadcast } from './broadcast.ts';
import { readBroadcast } from './broadcast-rows.ts';
import { NewDraft } from './draft-input.ts';
import { emptyDraft } from './draft-of-row.ts';

export const createBroadcast = defineOperation({
  name: 'create_broadcast',
  title: 'Create a broadcast',
  summary:
    'Draft an email to everyone, to a segment or to the registrants of a webinar, or a text to registrants. Nothing is ' +
    'sent by it. Then plan_broadcast, show the person the plan, and only with their yes schedule_broadcast. With a ' +
    'broadcast_id of your own (v4 uuid) a repeated call answers the draft that is there.',
  permission: 'broadcasts.write',
  effect: 'add',
  faces: { rest: ['POST /v1/broadcasts'], tool: true },
  creates: ({ created }) => created === true,
  input: NewDraft.extend({
    broadcast_id: z.uuidv4().optional().describe('Your own id for it, so that a retry makes no second one.'),
  }),
  output: z.object({ broadcast: Broadcast, created: z.boolean() }),
  handle: async (work, { broadcast_id, ...sent }) => {
    const id = (broadcast_id?.toLowerCase() ?? newId(work.now)) as BroadcastId;
    if (broadcast_id !== undefined) {
      const there = await work.db
        .selectFrom('broadcasts')
        .select('id')
        .where('org_id', '=', work.org)
        .where('id', '=', id)
        .executeTakeFirst();
      if (there !== undefined)
        return { broadcast: toBroadcast(await readBroadcast(work, id)), created: false };
    }
    const { hold_if_audience_changes_by } = await readSettings(work);
    const channel = sent.channel ?? emptyDraft.channel;
    const empty = { ...emptyDraft, channel, hold_if_audience_changes_by };
    const { after } = await acceptDraft(work, sent, async () => empty);
    const { numInsertedOrUpdatedRows } = await work.db
      .insertInto('broadcasts')
      .values({
        org_id: work.org,
        id,
        ...toColumns(after),
        created_by: JSON.stringify(work.caller.actor),
        created_at: work.now,
        updated_at: work.now,
      })
      // Of two concurrent calls with the same id, one inserts.
      .onConflict((conflict) => conflict.columns(['org_id', 'id']).doNothing())
      .executeTakeFirstOrThrow();
    const created = numInsertedOrUpdatedRows === 1n;
    if (created) work.touched['broadcast_id'] = id;
    return { broadcast: toBroadcast(await readBroadcast(work, id)), created };
  },
});
