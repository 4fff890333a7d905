import { expect, test } from 'vitest';
import { setLayout } from '../support/broadcast.ts';
import { newSender } from '../support/sender-row.ts';
import { useWorld } from '../support/world.ts';
import { answerOf, expectLedOn } from './assistant.ts';

const world = useWorld();
const draft = { channel: 'email', audience: 'everyone', subject: 'News', html: '<p>Hi</p>' };
const withOffset = 'like 2026-03-14T15:00:00+01:00';

test('to prepare, plan and schedule for tomorrow at ten: after each likely wrong guess the refusal alone is enough to go on', async () => {
  const org = await world().newOrg();
  await org.person({ email: 'ada@example.com' });
  await expectLedOn(org, [
    [
      'create_broadcast',
      { title: 'News', body: 'Hi' },
      ['no field title', 'subject', 'html', 'audience: Is missing'],
    ],
    ['create_broadcast', { ...draft, audience: 'all' }, ['everyone, segment, webinar']],
    ['create_broadcast', { ...draft, channel: 'mail' }, ['channel: Must be one of: email, sms']],
    ['create_broadcast', { ...draft, audience: 'segment' }, ['needs segment_id']],
    ['create_broadcast', { ...draft, html: '<p>Hi {{first_name}}</p>' }, ['{{var_<id>}}', 'variables']],
    ['create_broadcast', { ...draft, html: '<p>Hi {{var_n}}</p>' }, ['Define var_n']],
    [
      'create_broadcast',
      {
        ...draft,
        html: '<p>Hi {{var_n}}</p>',
        variables: { var_n: { variable: 'first_name', fallback: 'you' } },
      },
      ['list_broadcast_variables'],
    ],
  ]);
  const sender_id = await newSender(world(), org);
  await setLayout(org);
  const { broadcast } = await answerOf(org, 'create_broadcast', { ...draft, sender_id });
  const broadcast_id = broadcast.id as string;
  await expectLedOn(org, [
    ['plan_broadcast', { id: broadcast_id }, ['broadcast_id: Is missing', 'an id that another answer gave']],
    ['plan_broadcast', { broadcast_id, send_at: 'tomorrow at ten' }, ['send_at', withOffset]],
    ['plan_broadcast', { broadcast_id, send_at: '2026-11-17T10:00:00' }, ['send_at', withOffset]],
    ['schedule_broadcast', { broadcast_id }, ['plan_token: Is missing', 'From plan_broadcast.']],
    ['schedule_broadcast', { broadcast_id, plan_token: 'yes' }, ['Plan it, and use that token']],
  ]);
  // What blocks a plan is told in the plan, with the organization's time beside it.
  const early = await answerOf(org, 'plan_broadcast', { broadcast_id, send_at: new Date(0).toISOString() });
  expect(early).toMatchObject({ ready: false, now: expect.stringMatching(/Z$/) });
  const tomorrow = new Date(Date.parse(early.now) + 86_400_000).toISOString();
  const plan = await answerOf(org, 'plan_broadcast', { broadcast_id, send_at: tomorrow });
  const { plan_token } = plan;
  expect(await answerOf(org, 'schedule_broadcast', { broadcast_id, plan_token })).toBeDefined();
  const listed = await answerOf(org, 'list_broadcasts', { status: 'scheduled' });
  expect(listed).toMatchObject({ total: 1, now: expect.stringMatching(/Z$/) });
  await answerOf(org, 'get_broadcast', { broadcast_id });
});

test('webinars and who is registered for them can be read as tools', async () => {
  const org = await world().newOrg();
  const { now } = await answerOf(org, 'list_webinars', {});
  await expectLedOn(org, [
    ['create_webinar', { title: 'Launch' }, ['webinar: Is missing', 'title, ', 'start_time']],
  ]);
  const start_time = new Date(Date.parse(now) + 86_400_000).toISOString();
  const { webinar } = await answerOf(org, 'create_webinar', { webinar: { title: 'Launch', start_time } });
  await answerOf(org, 'register_for_webinar', { webinar_id: webinar.id, user: { email: 'ada@example.com' } });
  expect((await answerOf(org, 'get_webinar', { webinar_id: webinar.id })).webinar.title).toBe('Launch');
  expect((await answerOf(org, 'list_registrations', { webinar_id: webinar.id })).total).toBe(1);
});
