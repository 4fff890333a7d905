import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { BroadcastId } from '../../../kernel/ids.ts';
import { nowOutput } from '../../../kernel/moment.ts';
import { Held, heldOf } from '../draft/broadcast.ts';
import { requireBroadcast, type StoredBroadcast } from '../draft/broadcast-rows.ts';
import { audienceOf } from './audience.ts';
import { countAudience } from './count-audience.ts';
import { blockingContent, PlanCheck } from './plan-checks.ts';
import { readPlanInputs } from './plan-inputs.ts';

export const recountBroadcast = defineOperation({
  name: 'recount_broadcast',
  title: 'Count the audience of a held broadcast anew',
  summary:
    'The fresh look before release_broadcast: how many are in the audience of a held broadcast now, how many of them ' +
    'would get it, and what would block it. Writes nothing. Show the person these figures and release with the ' +
    'recipients of this answer as counted, only when they agree.',
  permission: 'broadcasts.read',
  effect: 'read',
  cost: 'heavy',
  faces: { rest: ['GET /v1/broadcasts/:broadcast_id/recount'] },
  input: z.strictObject({ broadcast_id: BroadcastId }),
  output: z.object({
    broadcast_id: BroadcastId,
    held: Held,
    hold_if_audience_changes_by: z.int().nullable(),
    audience: z.object({
      recipients: z.int().describe('How many are in the audience now.'),
      reachable: z.int().describe('How many of them would get it now.'),
      excluded: z.array(z.object({ reason: z.string(), count: z.int() })),
    }),
    checks: z.array(PlanCheck),
    ...nowOutput,
  }),
  handle: async (work, { broadcast_id }) => {
    const row = await requireBroadcast(work, broadcast_id);
    const held = refuseUnlessHeld(row);
    const inputs = await readPlanInputs(work, row, work.now);
    const { draft, segment } = inputs;
    const counts = await countAudience(work, audienceOf(work, draft, segment?.conditions), draft.channel, []);
    return {
      broadcast_id,
      held,
      hold_if_audience_changes_by: row.hold_if_audience_changes_by,
      audience: {
        recipients: counts.recipients,
        reachable: counts.reachable,
        excluded: [...counts.excluded],
      },
      checks: blockingContent(inputs),
      now: work.now.toISOString(),
    };
  },
});

const instead: Readonly<Record<string, string>> = {
  draft: 'It is a draft. Plan and schedule it.',
  scheduled: 'It is scheduled and begins by itself at its time.',
  sending: 'It is being sent.',
};

export function refuseUnlessHeld(row: StoredBroadcast): NonNullable<ReturnType<typeof heldOf>> {
  const held = heldOf(row);
  if (held !== null) return held;
  throw new Failure(
    'not_held',
    `The broadcast is not held. ${instead[row.status] ?? `It is ${row.status}.`}`,
  );
}
