import { beginSending } from '../../src/domain/broadcasts/sending/begin-sending.ts';
import { engineMessages } from '../../src/database/engine-messages.ts';
import { laneStep, claimLane } from '../../src/domain/broadcasts/sending/lane-step.ts';
import { sendTest } from '../../src/domain/broadcasts/sending/send-test.ts';
import { startRun } from '../../src/domain/broadcasts/sending/start-run.ts';
import { noteBounce } from '../../src/domain/delivery/inbound/note-bounce.ts';
import { noteComplaint } from '../../src/domain/delivery/inbound/note-complaint.ts';
import { noteInboundText } from '../../src/domain/delivery/inbound/note-inbound-text.ts';
import { noteReceipt } from '../../src/domain/delivery/inbound/note-receipt.ts';
import { noteReply } from '../../src/domain/delivery/inbound/note-reply.ts';
import { judgeHits } from '../../src/domain/tracking/judge-hits.ts';
import { noteHits } from '../../src/domain/tracking/note-hits.ts';
import { resubscribe, unsubscribe } from '../../src/domain/tracking/unsubscribe.ts';
import { sweep } from '../../src/durable/sweep.ts';
import { inHours } from '../support/broadcast.ts';
import { idle, one, type Action } from './actions-of-people.ts';
import type { Stage } from './stage.ts';

const asked = ({ org }: Stage) => ({ org: org.id, now: new Date(), actor: 'at once', requestId: 'none' });
const heard = () => ({ now: new Date(), requestId: 'none', route: 'default' });

const ofDelivery =
  (act: (stage: Stage, delivery: number) => Promise<unknown>): Action =>
  (stage) =>
    one(stage, stage.there.deliveries, (id) => act(stage, Number(id)));

const ofBroadcast =
  (
    statuses: readonly string[],
    act: (stage: Stage, id: string, revision: number) => Promise<unknown>,
  ): Action =>
  (stage) =>
    one(
      stage,
      stage.there.broadcasts.filter(({ status }) => statuses.includes(status)),
      ({ id, revision }) => act(stage, id, Number(revision)),
    );

const textDraft = ({ there }: Stage) => ({
  audience: 'webinar',
  webinar_id: there.webinars.at(-1),
  channel: 'sms',
  message_body: 'Hello',
});

const emailDraft = ({ there, random }: Stage, sender_id: string) => ({
  subject: 'Hello',
  html: '<p>Hello <a href="https://example.com/a">there</a></p>',
  sender_id,
  ...(random.chance(0.5) || there.segments.length === 0
    ? { audience: 'everyone' }
    : { audience: 'segment', segment_id: random.pick(there.segments) }),
});

export const actionsOfMessages: Readonly<Record<string, Action>> = {
  create_broadcast: (stage) =>
    one(stage, stage.there.senders, (sender_id) =>
      stage.call(
        'create_broadcast',
        stage.random.chance(0.4) ? textDraft(stage) : emailDraft(stage, sender_id),
      ),
    ),
  update_broadcast: ofBroadcast(['draft'], (stage, broadcast_id) =>
    stage.call('update_broadcast', { broadcast_id, subject: `Subject ${stage.random.int(0, 9)}` }),
  ),
  schedule: ofBroadcast(['draft'], async (stage, broadcast_id) => {
    const planned = (await stage.call('plan_broadcast', { broadcast_id, send_at: inHours(24 * 365) })) as {
      output: { plan_token: string };
    };
    return stage.call('schedule_broadcast', { broadcast_id, plan_token: planned.output.plan_token });
  }),
  unschedule: ofBroadcast(['scheduled', 'error'], (stage, broadcast_id) =>
    stage.call('unschedule_broadcast', { broadcast_id }),
  ),
  release: ofBroadcast(['scheduled'], async (stage, broadcast_id) => {
    await stage.admin.query(
      `update broadcasts set hold_if_audience_changes_by = 100, planned_recipients = 1, held_at = now(), held_recipients = 9
       where id = $1 and status = 'scheduled'`,
      [broadcast_id],
    );
    return stage.call('release_broadcast', { broadcast_id, counted: stage.there.people.length });
  }),
  begin_sending: ofBroadcast(['scheduled', 'draft'], async (stage, broadcast_id, revision) => {
    // As if its time had come, whatever the plan said.
    await stage.admin.query(
      `update broadcasts set status = 'scheduled', paced_over_hours = 0,
         send_at = now() + (select clock_ahead_ms * interval '1 millisecond' from organizations where id = org_id)
       where id = $1 and status in ('draft', 'scheduled')`,
      [broadcast_id],
    );
    return beginSending(
      stage.database,
      { org_id: stage.org.id, broadcast_id, revision },
      new Date(),
      startRun(stage.parts),
    );
  }),
  lane_step: (stage) =>
    one(stage, stage.there.lanes, async ({ broadcast_id, lane, ticket }) => {
      const ref = engineMessages.BroadcastRun.payload.parse({
        org_id: stage.org.id,
        lane: `${broadcast_id}/${lane}`,
      });
      const taken = stage.random.chance(0.5) ? (await claimLane(stage.parts, ref))?.ticket : undefined;
      return laneStep(stage.parts, ref, taken ?? Number(ticket));
    }),
  resend_uncertain: ofBroadcast(['sent', 'stopped'], async (stage, broadcast_id) => {
    await stage.admin.query(
      `update deliveries set state = 'uncertain', reason = 'interrupted', sent_at = null
       where broadcast_id = $1 and state = 'sent'`,
      [broadcast_id],
    );
    const planned = (await stage.call('plan_resend_uncertain', { broadcast_id })) as {
      output?: { resend_token?: string };
    };
    const resend_token = planned.output?.resend_token ?? 'none';
    return stage.call('resend_uncertain', { broadcast_id, resend_token });
  }),
  stop_broadcast: ofBroadcast(['sending'], (stage, broadcast_id) =>
    stage.random.chance(0.3) ? stage.call('stop_broadcast', { broadcast_id }) : idle,
  ),
  delete_broadcast: ofBroadcast(['draft', 'error'], (stage, broadcast_id) =>
    stage.random.chance(0.3) ? stage.call('delete_broadcast', { broadcast_id }) : idle,
  ),
  test_broadcast: ofBroadcast(['draft', 'scheduled'], (stage, broadcast_id) =>
    stage.call('test_broadcast', { broadcast_id, to: ['me@example.com'] }),
  ),
  send_test: (stage) =>
    one(stage, stage.there.tests, (test_send_id) =>
      sendTest(stage.parts, { org_id: stage.org.id, test_send_id }),
    ),
  move_test_clock: (stage) => stage.call('move_test_clock', { advance: stage.random.int(1, 7_200) }),
  create_segment: (stage) =>
    stage.call('create_segment', {
      name: 'Some',
      filters: [{ property: 'first_name', op: 'is_empty' }],
    }),
  update_segment: (stage) =>
    one(stage, stage.there.segments, (segment_id) =>
      stage.call('update_segment', { segment_id, name: 'Other' }),
    ),
  delete_segment: (stage) =>
    one(stage, stage.there.segments, (segment_id) => stage.call('delete_segment', { segment_id })),
  update_sender: (stage) =>
    one(stage, stage.there.senders, (sender_id) => stage.call('update_sender', { sender_id, name: 'Other' })),
  delete_sender: (stage) =>
    one(stage, stage.there.senders, (sender_id) => stage.call('delete_sender', { sender_id })),
  note_hits: ofDelivery((stage, delivery) =>
    noteHits(stage.database, stage.parts, asked(stage), [
      {
        delivery,
        kind: 'open',
        link: null,
        at: new Date(Date.now() - 10_000),
        agent: 'Mozilla/5.0',
        method: 'GET',
      },
      {
        delivery,
        kind: 'click',
        link: 1,
        at: new Date(Date.now() - 9_000),
        agent: 'Mozilla/5.0',
        method: 'GET',
      },
    ]),
  ),
  judge_hits: (stage) => stage.serve(judgeHits),
  bounce: ofDelivery((stage, delivery) =>
    stage.serve((work) =>
      noteBounce(work, { delivery, bounceClass: stage.random.pick(['hard', 'soft', 'policy']) }),
    ),
  ),
  complain: ofDelivery((stage, delivery) => stage.serve((work) => noteComplaint(work, { delivery }))),
  reply: ofDelivery((stage, delivery) => stage.serve((work) => noteReply(work, { delivery }))),
  unsubscribe: ofDelivery((stage, delivery) =>
    unsubscribe(stage.database, stage.parts, asked(stage), { delivery, itself: true }),
  ),
  resubscribe: ofDelivery((stage, delivery) =>
    resubscribe(stage.database, stage.parts, asked(stage), delivery),
  ),
  inbound_stop: (stage) =>
    noteInboundText(
      stage.database,
      stage.parts,
      { from: stage.phone(), to: stage.number, body: 'STOP' },
      heard(),
    ),
  receipt: ofDelivery((stage, delivery) =>
    noteReceipt(
      stage.database,
      stage.parts,
      { org: stage.org.id, delivery },
      stage.random.chance(0.5)
        ? { outcome: 'delivered' }
        : { outcome: 'failed', bounceClass: 'hard', code: '21610', optedOut: stage.random.chance(0.5) },
      heard(),
    ),
  ),
  sweep: (stage) => (stage.random.chance(0.2) ? sweep(stage.database, new Date(), 0) : idle),
};
