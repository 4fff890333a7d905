import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { PersonId } from '../../kernel/ids.ts';
import { toMajor } from '../../kernel/money.ts';
import { MomentOut, outgoing } from '../../kernel/moment.ts';
import { requirePerson } from '../identifiers/require-person.ts';
import { SubscriptionStatus } from '../people/record/person.ts';

const Subscription = z
  .object({
    id: z.guid(),
    status: SubscriptionStatus,
    item_names: z.array(z.string()),
    cost: z.number(),
    started_at: MomentOut.nullable(),
    canceled_at: MomentOut.nullable(),
    current_period_start: MomentOut.nullable(),
    current_period_end: MomentOut.nullable(),
    trial_start: MomentOut.nullable(),
    trial_end: MomentOut.nullable(),
    created_at: MomentOut,
  })
  .meta({ id: 'Subscription' });

export const listSubscriptions = defineOperation({
  name: 'list_subscriptions',
  title: 'List subscriptions',
  summary: "A person's subscriptions, newest first. They mirror the payment processor and change only there.",
  permission: 'people.read',
  effect: 'read',
  faces: { rest: ['GET /v1/people/:person_id/subscriptions'], tool: true },
  input: z.strictObject({ person_id: PersonId }),
  output: z.object({ subscriptions: z.array(Subscription) }),
  handle: async (work, { person_id }) => {
    await requirePerson(work, person_id);
    const rows = await work.db
      .selectFrom('subscriptions')
      .selectAll()
      .where('org_id', '=', work.org)
      .where('person_id', '=', person_id)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute();
    return {
      subscriptions: rows.map((row) => ({
        id: row.id,
        status: row.status as z.infer<typeof SubscriptionStatus>,
        item_names: row.item_names,
        cost: toMajor(row.cost, work.caller.currency),
        started_at: outgoing(row.started_at),
        canceled_at: outgoing(row.canceled_at),
        current_period_start: outgoing(row.current_period_start),
        current_period_end: outgoing(row.current_period_end),
        trial_start: outgoing(row.trial_start),
        trial_end: outgoing(row.trial_end),
        created_at: row.created_at.toISOString(),
      })),
    };
  },
});
