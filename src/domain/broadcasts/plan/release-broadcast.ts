import { z } from 'zod';
import { addToOutbox } from '../../../database/outbox.ts';
import { defineOperation } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { BroadcastId } from '../../../kernel/ids.ts';
import { Broadcast, toBroadcast } from '../draft/broadcast.ts';
import { readBroadcast } from '../draft/broadcast-rows.ts';
import { holdWithReferences } from '../draft/hold-references.ts';
import { audienceOf } from './audience.ts';
import { hasChangedBeyond } from './audience-change.ts';
import { countRecipients } from './count-audience.ts';
import { blockingContent } from './plan-checks.ts';
import { readPlanInputs } from './plan-inputs.ts';
import { refuseUnlessHeld } from './recount-broadcast.ts';
import { refuseBlocked, refuseSameKey } from './refuse-to-send.ts';

export const releaseBroadcast = defineOperation({
  name: 'release_broadcast',
  title: 'Release a held broadcast',
  summary:
    'Send a held broadcast now, after the person agreed. counted is how many they saw in the audience, as in held; if it ' +
    'moved on by more than the percent, it is refused with the new count.',
  permission: 'broadcasts.schedule',
  effect: 'change',
  faces: { rest: ['POST /v1/broadcasts/:broadcast_id/release'] },
  input: z.strictObject({ broadcast_id: BroadcastId, counted: z.int().min(0) }),
  output: z.object({
    broadcast: Broadcast,
    counted: z.int(),
  }),
  handle: async (work, { broadcast_id, counted: seen }) => {
    const row = await holdWithReferences(work, broadcast_id);
    const { planned } = refuseUnlessHeld(row);
    const inputs = await readPlanInputs(work, row, work.now);
    refuseSameKey(work, inputs, row.planned_by as unknown as { kind: string; id: string }, 'release');
    refuseBlocked(blockingContent(inputs));
    const counted = await countRecipients(work, audienceOf(work, inputs.draft, inputs.segment?.conditions));
    if (hasChangedBeyond(row.hold_if_audience_changes_by ?? 0, seen, counted)) {
      throw new Failure(
        'audience_changed',
        `${counted} people are in the audience now, and you were shown ${seen}; ${planned} were planned. Look again.`,
        {
          errors: [
            { pointer: '/counted', code: 'changed', detail: `${counted} now`, allowed: [`${counted}`] },
          ],
        },
      );
    }
    const revision = row.revision + 1;
    await work.db
      .updateTable('broadcasts')
      .set({
        send_at: work.now,
        planned_recipients: counted,
        held_at: null,
        held_recipients: null,
        revision,
        updated_at: work.now,
      })
      .where('org_id', '=', work.org)
      .where('id', '=', broadcast_id)
      .execute();
    await addToOutbox(work, 'BroadcastStart', { broadcast_id, revision: String(revision) });
    work.touched['broadcast_id'] = broadcast_id;
    return {
      broadcast: toBroadcast(await readBroadcast(work, broadcast_id)),
      counted,
    };
  },
});
