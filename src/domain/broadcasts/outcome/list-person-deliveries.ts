import { sql } from 'kysely';
import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { BroadcastId, PersonId, WebinarId, WorkflowId } from '../../../kernel/ids.ts';
import { pageInput, pageOutput } from '../../../kernel/page.ts';
import { requirePerson } from '../../identifiers/require-person.ts';
import { channels } from '../draft/broadcast.ts';
import { moments, Recipient, toRecipient } from './recipient.ts';

const Delivery = Recipient.omit({ person_id: true })
  .extend({
    broadcast_id: BroadcastId.nullable().describe('null for a message of a workflow.'),
    workflow_id: WorkflowId.nullable(),
    node: z.string().nullable().describe("The workflow's node that sent it."),
    webinar_id: WebinarId.nullable(),
    channel: z.enum(channels),
    subject: z.string().nullable(),
    address: z.string().nullable().describe('Where it went, once it was handed over.'),
  })
  .meta({ id: 'PersonDelivery' });

export const listPersonDeliveries = defineOperation({
  name: 'list_person_deliveries',
  title: 'List what was sent to a person',
  summary:
    'Every message that was, is to be or was not sent to a person, of broadcasts and of workflows, newest first, with ' +
    'what became of it.',
  permission: 'people.read',
  effect: 'read',
  faces: { rest: ['GET /v1/people/:person_id/deliveries'] },
  input: z.strictObject({ person_id: PersonId, ...pageInput }),
  output: z.object({ deliveries: z.array(Delivery), ...pageOutput }),
  handle: async (work, { person_id, limit, offset }) => {
    await requirePerson(work, person_id);
    const deliveries = work.db
      .selectFrom('deliveries as d')
      .innerJoin('broadcasts as b', (join) =>
        join.onRef('b.org_id', '=', 'd.org_id').onRef('b.id', '=', 'd.broadcast_id'),
      )
      .where('d.org_id', '=', work.org)
      .where('d.person_id', '=', person_id);
    const { total } = await deliveries.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
    const rows = await deliveries
      .select(['d.person_id', 'd.state', 'd.reason', 'd.due_at', 'd.address'])
      .select(moments.map((name) => `d.${name}` as const))
      .select(['b.id', 'b.workflow_id', 'b.node', 'b.webinar_id', 'b.channel', 'b.subject'])
      .orderBy('d.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute();
    return {
      deliveries: rows.map(({ address, subject, node, ...row }) => {
        const { person_id: _, ...ended } = toRecipient(row);
        return {
          ...ended,
          broadcast_id: row.workflow_id === null ? (row.id as BroadcastId) : null,
          workflow_id: row.workflow_id as WorkflowId | null,
          node,
          webinar_id: row.webinar_id as WebinarId | null,
          channel: row.channel as (typeof channels)[number],
          subject,
          address,
        };
      }),
      total,
      limit,
      offset,
    };
  },
});
