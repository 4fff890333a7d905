import { expect, test } from 'vitest';
import {
  codesOf,
  inHours,
  newDraft,
  newWebinar,
  atNoon,
  plan,
  setLayout,
  readyDraft,
} from '../../support/broadcast.ts';
import { newSender } from '../../support/sender-row.ts';
import { newSegment } from '../../support/segment.ts';
import { useWorld } from '../../support/world.ts';
import { newConfig, readyInvitation, readyText, whileItIs, type Json } from './plan-support.ts';

const world = useWorld();

const note = expect.stringMatching(/\w/);

test('PLN-003 PLN-008 PLN-009 PLN-010 PLN-013 PLN-015 PLN-017 PLN-019 PLN-022 a plan of an email to a segment has every part', async () => {
  const org = await world().newOrg();
  await setLayout(org);
  const person = await org.person({ email: 'ada@example.com', first_name: 'Ada' });
  const email = 'news@parts.example';
  const sender_id = await newSender(world(), org, {
    name: 'Rita, Inc.',
    email,
    reply_to: 'help@parts.example',
  });
  const segment_id = await newSegment(org, [{ property: 'first_name', op: 'eq', value: 'Ada' }]);
  const { id } = await newDraft(org, {
    audience: 'segment',
    segment_id,
    sender_id,
    subject: 'Hello & welcome',
    html: '<p>Dear {{var_name}}</p>',
    variables: { var_name: { variable: '{{context.root_context.org_user.first_name}}', fallback: 'you' } },
  });
  await whileItIs(world(), '2027-04-01T10:00:00.000Z', async () => {
    const planned = await plan(org, id, '2027-04-02T10:00:00.000Z');
    expect(planned).toEqual({
      broadcast_id: id,
      ready: true,
      plan_token: expect.stringMatching(/^[\w-]{100,}$/),
      expires_at: '2027-04-01T11:00:00.000Z',
      now: '2027-04-01T10:00:00.000Z',
      channel: 'email',
      delivery: { send_at: '2027-04-02T10:00:00.000Z', paced_over_hours: 3 },
      audience: {
        kind: 'segment',
        segment_name: 'A segment',
        recipients: 1,
        reachable: 1,
        excluded: [],
        note,
      },
      sender: { id: sender_id, from: '"Rita, Inc." <news@parts.example>', reply_to: 'help@parts.example' },
      variables: [
        {
          name: 'var_name',
          variable: '{{context.root_context.org_user.first_name}}',
          with_value: 1,
          with_fallback: 0,
        },
      ],
      preview: { person_id: person, subject: 'Hello & welcome', body: '<p>Dear Ada</p>' },
      allowance: null,
      checks: [],
    });
  });
});

test('PLN-013 PLN-016 PLN-017 PLN-022 a plan of a text has no sender, no subject and no pace', async () => {
  const org = await world().newOrg();
  const { id, person } = await readyText(world(), org, { message_body: 'Starts soon, or STOP' });
  const planned = await plan(org, id, atNoon());
  expect(planned).toMatchObject({
    broadcast_id: id,
    ready: true,
    channel: 'sms',
    delivery: { paced_over_hours: 0 },
    audience: { kind: 'webinar', segment_name: null, recipients: 1, reachable: 1, note },
    sender: null,
    preview: { person_id: person, subject: null, body: 'Starts soon, or STOP' },
    checks: [],
  });
});

test('PLN-015 PLN-016 lists are spread over three hours, broadcasts to a webinar are not', async () => {
  const org = await world().newOrg();
  const segment_id = await newSegment(org, [{ property: 'first_name', op: 'is_not_empty' }]);
  const webinar = await newWebinar(world(), org);
  const drafts: [Json, number][] = [
    [await readyDraft(world(), org), 3],
    [await readyDraft(world(), org, { audience: 'segment', segment_id }), 3],
    [await readyInvitation(world(), org, webinar), 0],
    [await readyInvitation(world(), org, webinar, { webinar_offset_minutes: 60 }), 0],
    [await readyText(world(), org), 0],
  ];
  for (const [{ id }, hours] of drafts) {
    for (const planned of [await plan(org, id), await plan(org, id, null)]) {
      expect(planned.delivery.paced_over_hours).toBe(hours);
    }
  }
});

test('PLN-009 PLN-010 PLN-022 a plan is ready with warnings, and its checks have a level, a code and words', async () => {
  const org = await world().newOrg();
  await newConfig(org, 'tier');
  const { id } = await readyDraft(world(), org, {
    html: '<p>{{var_tier}} <a href="http://example.com">here</a></p>',
    variables: { var_tier: { variable: '{{context.root_context.org_user.custom_properties.tier}}' } },
  });
  const planned = await plan(org, id);
  expect(codesOf(planned)).toEqual(['everyone', 'variable_unresolvable', 'links_without_https']);
  expect(planned).toMatchObject({ ready: true, plan_token: expect.stringMatching(/./) });
  for (const check of planned.checks) {
    expect(check).toEqual({
      level: 'warning',
      code: expect.stringMatching(/^[a-z_]+$/),
      message: expect.stringMatching(/^[A-Z\d].*\.$/),
      count: 1,
    });
  }
});

test('PLN-009 PLN-011 PLN-022 with an error it is not ready and has no token, and everything else is told', async () => {
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org);
  const planned = await plan(org, id, null);
  expect(planned).not.toHaveProperty('plan_token');
  expect(planned).toMatchObject({
    ready: false,
    expires_at: expect.any(String),
    delivery: { send_at: null },
    audience: { recipients: 1 },
    preview: { body: '<p>Hello there</p>' },
    checks: [
      { level: 'error', code: 'send_at_required', message: expect.any(String) },
      { level: 'warning', code: 'everyone' },
    ],
  });
  for (const plan_token of ['', 'undefined', 'null']) {
    const refused = await org.rest(`POST /v1/broadcasts/${id}/schedule`, { plan_token });
    expect(refused.status).toBeGreaterThanOrEqual(400);
  }
  expect((await org.rest(`GET /v1/broadcasts/${id}`)).body.broadcast.status).toBe('draft');
});

test('PLN-012 a plan expires one hour after planning, also one that blocks', async () => {
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org);
  for (const [now, expires] of [
    ['2027-04-01T10:00:00.001Z', '2027-04-01T11:00:00.001Z'],
    ['2027-12-31T23:30:00.000Z', '2028-01-01T00:30:00.000Z'],
    ['2027-03-28T00:30:00.000Z', '2027-03-28T01:30:00.000Z'],
  ] as const) {
    await whileItIs(world(), now, async (from) => {
      expect((await plan(org, id, inHours(24, from))).expires_at).toBe(expires);
      expect((await plan(org, id, null)).expires_at).toBe(expires);
    });
  }
});
