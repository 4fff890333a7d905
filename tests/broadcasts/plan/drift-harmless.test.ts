import { beforeAll, expect, test } from 'vitest';
import {
  inHours,
  newDraft,
  newWebinar,
  plan,
  register,
  schedule,
  setWebinar,
} from '../../support/broadcast.ts';
import { newSender } from '../../support/sender-row.ts';
import { useWorld } from '../../support/world.ts';
import {
  firstName,
  newSetting,
  planning,
  planSetting,
  session,
  type Kind,
  type Setting,
} from './drift-setting.ts';
import { rest } from './schedule-ways.ts';

const world = useWorld();
beforeAll(() => {
  world().clock.now = () => planning;
});

const rita = { email: 'rita@example.com' };

/** What decides nothing of what is sent or when, or decides only who is there when sending starts. */
const harmless: readonly [title: string, kind: Kind, change: (setting: Setting) => Promise<unknown>][] = [
  ['a person is added', 'everyone', ({ org }) => org.person({ email: 'new@example.com' })],
  [
    'a person joins the segment',
    'segment',
    ({ org }) => org.person({ email: 'n@example.com', first_name: 'N' }),
  ],
  [
    'a person opts out',
    'everyone',
    async ({ org, call }) =>
      call(`PATCH /v1/people/${await org.person(rita)}/opt-outs`, { email_opt_out: true, sms_opt_out: true }),
  ],
  [
    'everybody is deleted',
    'segment',
    async ({ org, call }) => call(`DELETE /v1/people/${await org.person(rita)}`),
  ],
  [
    'a person registers and another attended',
    'sms',
    async ({ org, webinar }) => {
      const person = await org.person({ email: 'late@example.com' });
      await register(world(), org, webinar, person, { attended: true, join_url: 'https://example.com/late' });
      await world().admin.query('update registrations set attended = true where org_id = $1', [org.id]);
    },
  ],
  ['the segment gets another name, color and description', 'segment', renameSegment],
  [
    'a property config gets another name',
    'segment',
    async ({ org, call }) => {
      const { body } = await org.rest('POST /v1/property-configs', {
        key: 'seats',
        name: 'Seats',
        type: 'number',
      });
      await call(`PATCH /v1/property-configs/${body.property_config.id}`, {
        name: 'Chairs',
        description: 'How many',
      });
    },
  ],
  [
    'another broadcast is scheduled',
    'everyone',
    async ({ org, sender }) => {
      const fields = { audience: 'everyone', subject: 'Hello', html: '<p>Hello</p>', sender_id: sender };
      await schedule(org, (await newDraft(org, fields)).id, inHours(24, planning));
    },
  ],
  ['another webinar moves', 'webinar', moveAnother],
  ['there is another sender', 'everyone', ({ org }) => newSender(world(), org)],
  [
    'the draft is changed to what it is',
    'everyone',
    ({ patch }) => patch({ subject: 'Hello', preview_text: 'A word' }),
  ],
  [
    'the variables are sent again with their defaults spelled out',
    'everyone',
    ({ patch }) =>
      patch({
        variables: {
          var_name: { fallback: 'Friend', variable: firstName, template: '{{var}}', text_format: 'name' },
          var_unused: { variable: firstName },
        },
      }),
  ],
  ['the draft is read, listed and previewed', 'everyone', lookAround],
  ['a change is refused', 'everyone', refused],
];

async function renameSegment({ call, segment }: Setting): Promise<void> {
  await call(`PATCH /v1/segments/${segment}`, { name: 'Renamed', color: '#112233', description: 'Other' });
}

async function moveAnother({ org }: Setting): Promise<void> {
  const other = await newWebinar(world(), org, session);
  await setWebinar(world(), other, { start_time: inHours(48, planning), title: 'Elsewhere' });
}

async function lookAround({ id, call }: Setting): Promise<void> {
  for (const route of [`GET /v1/broadcasts/${id}`, 'GET /v1/broadcasts', `GET /v1/broadcasts/${id}/stats`]) {
    await call(route);
  }
}

async function refused({ org, id }: Setting): Promise<void> {
  const { status } = await org.rest(`PATCH /v1/broadcasts/${id}`, { subject: '{{no}}' });
  expect(status).toBe(400);
}

test.each(harmless)('SCH-001 a plan stays good when %s', async (_, kind, change) => {
  const setting = await newSetting(world(), kind);
  const { plan_token } = await planSetting(setting);
  await change(setting);
  const { status, body } = await rest.schedule(setting.org, setting.id, { plan_token });
  expect([status, body.errors]).toEqual([200, undefined]);
});

test('SCH-001 SCH-002 every plan of an unchanged draft schedules, each for its own time', async () => {
  const { org, id } = await newSetting(world(), 'everyone');
  const [first, second] = [
    await plan(org, id, inHours(24, planning)),
    await plan(org, id, inHours(48, planning)),
  ];
  expect(first.plan_token).not.toBe(second.plan_token);
  const { status, body } = await rest.schedule(org, id, { plan_token: first.plan_token });
  expect([status, body.broadcast.timing.send_at]).toEqual([200, first.delivery.send_at]);
});
