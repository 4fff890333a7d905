import { z } from 'zod';
import { addToOutbox } from '../../../database/outbox.ts';
import { defineOperation } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { BroadcastId } from '../../../kernel/ids.ts';
import { MomentOut } from '../../../kernel/moment.ts';
import { holdWithReferences } from '../draft/hold-references.ts';
import { Broadcast, toBroadcast } from '../draft/broadcast.ts';
import { readBroadcast } from '../draft/broadcast-rows.ts';
import { refuseUnlessDraft } from '../draft/draft-only.ts';
import { pacedOverHours } from './pacing.ts';
import { blockingChecks } from './plan-checks.ts';
import { refuseBlocked, refuseSameKey } from './refuse-to-send.ts';
import { planAgeMs } from './plan-broadcast.ts';
import { readPlanInputs, type PlanInputs } from './plan-inputs.ts';
import { fromToken, type Plan } from './plan-token.ts';
import { driftBetween, plannedThings } from './planned-things.ts';

export const scheduleBroadcast = defineOperation({
  name: 'schedule_broadcast',
  title: 'Schedule a broadcast',
  summary:
    'Schedule a planned draft for the time it was planned for. Takes the plan_token of plan_broadcast; refused when ' +
    'anything the plan was made of changed, when the plan is over an hour old, or when something blocks. Call it only ' +
    'after the person saw the plan and said yes. unschedule_broadcast takes it back until sending starts.',
  permission: 'broadcasts.schedule',
  effect: 'change',
  faces: { rest: ['POST /v1/broadcasts/:broadcast_id/schedule'], tool: true },
  input: z.strictObject({
    broadcast_id: BroadcastId,
    plan_token: z.string().min(1).max(8_192).describe('From plan_broadcast.'),
  }),
  output: z.object({
    broadcast: Broadcast,
    delivery: z.object({ send_at: MomentOut, paced_over_hours: z.number() }),
    message: z.string(),
  }),
  handle: async (work, { broadcast_id, plan_token }) => {
    const row = await holdWithReferences(work, broadcast_id);
    refuseUnlessDraft(row);
    const plan = fromToken(work, row, plan_token);
    if (plan === undefined) {
      throw new Failure(
        'plan_stale',
        'This is not the token of a plan of this broadcast. Plan it, and use that token.',
      );
    }
    const inputs = await readPlanInputs(work, row, plan.sendAt);
    refuseSameKey(work, inputs, plan.plannedBy, 'schedule');
    refuseStale(inputs, plan, work.now);
    refuseBlocked(blockingChecks(inputs, work.now));
    const delivery = { send_at: plan.sendAt, paced_over_hours: pacedOverHours(inputs.draft) };
    const revision = row.revision + 1;
    await work.db
      .updateTable('broadcasts')
      .set({
        status: 'scheduled',
        ...delivery,
        revision,
        planned_by: JSON.stringify(plan.plannedBy),
        planned_recipients: plan.recipients,
        scheduled_by: JSON.stringify(work.caller.actor),
        scheduled_at: work.now,
        updated_at: work.now,
      })
      .where('org_id', '=', work.org)
      .where('id', '=', broadcast_id)
      .execute();
    await addToOutbox(work, 'BroadcastStart', { broadcast_id, revision: String(revision) });
    work.touched['broadcast_id'] = broadcast_id;
    const at = plan.sendAt.toISOString();
    return {
      broadcast: toBroadcast(await readBroadcast(work, broadcast_id)),
      delivery: { ...delivery, send_at: at },
      message: messageFor(at, delivery.paced_over_hours),
    };
  },
});

function refuseStale(inputs: PlanInputs, plan: Plan, now: Date): void {
  if (now.getTime() - plan.plannedAt.getTime() > planAgeMs) {
    throw new Failure(
      'plan_expired',
      `The plan was made at ${plan.plannedAt.toISOString()}, over an hour ago. Plan again.`,
    );
  }
  const drift = driftBetween(plan.things, plannedThings(inputs, plan.salt));
  if (drift.length === 0 && inputs.revision === plan.revision) return;
  const errors =
    drift.length > 0
      ? drift
      : [
          {
            pointer: '/revision',
            code: 'changed',
            detail: `It was changed or unscheduled since: revision ${plan.revision} was planned, ${inputs.revision} is there now.`,
          },
        ];
  const named = errors.map(({ pointer }) => pointer.slice(1)).join(', ');
  throw new Failure('plan_stale', `The broadcast changed after it was planned (${named}). Plan it again.`, {
    errors,
  });
}

const messageFor = (at: string, hours: number): string =>
  hours === 0
    ? `Scheduled. It goes out at ${at}, all at once. Until then it can be unscheduled.`
    : `Scheduled. It goes out from ${at} on, spread over ${hours} hours. Until then it can be unscheduled.`;
