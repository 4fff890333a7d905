import { expect, test } from 'vitest';
import { newWebinar, plan, readyDraft } from '../../support/broadcast.ts';
import { newSender } from '../../support/sender-row.ts';
import { newSegment } from '../../support/segment.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import { patch, readyInvitation, readyText, type Json } from './plan-support.ts';

const world = useWorld();

/** What comes of scheduling with a token, over both faces, and what the broadcast is then. */
async function scheduleWith(org: TestOrg, id: string, plan_token: string): Promise<Json> {
  const { status, body } = await org.rest(`POST /v1/broadcasts/${id}/schedule`, { plan_token });
  const asTool = await org.tool('schedule_broadcast', { broadcast_id: id, plan_token });
  const { broadcast } = (await org.rest(`GET /v1/broadcasts/${id}`)).body;
  return { status, code: body.code, tool: asTool.body.code, said: asTool.text, is: broadcast.status };
}

const stale = {
  status: 409,
  code: 'plan_stale',
  tool: 'plan_stale',
  said: expect.stringMatching(/changed after it was planned.*Plan it again\.$/),
  is: 'draft',
};
/** The second face finds it scheduled by the first. */
const scheduled = { status: 200, code: undefined, tool: 'broadcast_scheduled', is: 'scheduled' };

const first = { variable: '{{context.root_context.org_user.first_name}}', fallback: 'you' };

const toList: [string, (org: TestOrg) => Json][] = [
  ['subject', () => ({ subject: 'Other' })],
  ['preview_text', () => ({ preview_text: 'Look' })],
  ['html', () => ({ html: '<p>Hello there {{var_name}}</p>', variables: { var_name: first } })],
  ['sender_id', async (org) => ({ sender_id: await newSender(world(), org) })],
  [
    'audience',
    async (org) => ({
      audience: 'segment',
      segment_id: await newSegment(org, [{ property: 'first_name', op: 'is_not_empty' }]),
    }),
  ],
];

test.each(toList)('PLN-001 a PATCH of %s invalidates the plan of an email to everyone', async (_, change) => {
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org);
  const { plan_token } = await plan(org, id);
  await patch(org, id, await change(org));
  expect(await scheduleWith(org, id, plan_token)).toEqual(stale);
  expect(await scheduleWith(org, id, (await plan(org, id)).plan_token)).toMatchObject(scheduled);
});

const toWebinar: [string, (org: TestOrg) => Json][] = [
  ['webinar_audience', () => ({ webinar_audience: 'no_show' })],
  ['webinar_anchor', () => ({ webinar_anchor: 'end' })],
  ['webinar_offset_minutes', () => ({ webinar_offset_minutes: 61 })],
  ['webinar_offset_minutes, cleared', () => ({ webinar_offset_minutes: null })],
  ['webinar_id', async (org) => ({ webinar_id: await newWebinar(world(), org, { duration_minutes: 60 }) })],
  ['message_body', () => ({ message_body: 'Soon, {{var_name}}' })],
  ['variables', () => ({ variables: { var_name: { ...first, fallback: 'dear' } } })],
];

test.each(toWebinar)(
  'PLN-001 a PATCH of %s invalidates the plan of a text to a webinar',
  async (_, change) => {
    const org = await world().newOrg();
    const webinar_id = await newWebinar(world(), org, { duration_minutes: 60 });
    const { id } = await readyText(world(), org, {
      webinar_id,
      webinar_offset_minutes: 60,
      message_body: '{{var_name}}, soon',
      variables: { var_name: first },
    });
    const { plan_token } = await plan(org, id, null);
    await patch(org, id, await change(org));
    expect(await scheduleWith(org, id, plan_token)).toEqual(stale);
    expect(await scheduleWith(org, id, (await plan(org, id)).plan_token)).toMatchObject(scheduled);
  },
);

test('PLN-001 changed and changed back is changed: the plan stays invalid', async () => {
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org, { subject: 'Hello' });
  const { plan_token } = await plan(org, id);
  await patch(org, id, { subject: 'Other' });
  await patch(org, id, { subject: 'Hello' });
  expect(await scheduleWith(org, id, plan_token)).toEqual(stale);
});

test('PLN-001 a change over the tool invalidates as well, and every plan made before it', async () => {
  const org = await world().newOrg();
  const { id } = await readyInvitation(world(), org, await newWebinar(world(), org));
  const tokens = [(await plan(org, id)).plan_token, (await plan(org, id)).plan_token];
  const changed = await org.tool('update_broadcast', { broadcast_id: id, subject: 'Other' });
  expect(changed.isError).toBe(false);
  for (const token of tokens) expect(await scheduleWith(org, id, token)).toEqual(stale);
});

test('a PATCH that changes nothing, or was refused, leaves the plan as it was', async () => {
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org, { subject: 'Hello' });
  const { plan_token } = await plan(org, id);
  await patch(org, id, { subject: 'Hello', html: '<p>Hello there</p>', preview_text: null });
  const refused = await org.rest(`PATCH /v1/broadcasts/${id}`, { subject: '{{var_name}}' });
  expect(refused.status).toBe(400);
  expect(await scheduleWith(org, id, plan_token)).toMatchObject(scheduled);
});

test('PLN-002 planning again does not invalidate the plan before it', async () => {
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org);
  const { plan_token } = await plan(org, id);
  await plan(org, id, null);
  await org.rest(`GET /v1/broadcasts/${id}`);
  expect(await scheduleWith(org, id, plan_token)).toMatchObject(scheduled);
});
