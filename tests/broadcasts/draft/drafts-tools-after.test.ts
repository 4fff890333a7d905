import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { newDraft, plan, schedule, readyDraft } from '../../support/broadcast.ts';
import { contentsOf } from '../../support/org-contents.ts';
import { useWorld } from '../../support/world.ts';
import { putInState, read } from './draft-ways.ts';
import { whileItIs } from '../plan/plan-support.ts';

const world = useWorld();

test('TOL-008 unschedule_broadcast does what POST …/unschedule does', async () => {
  const org = await world().newOrg();
  const [one, other] = [await readyDraft(world(), org), await readyDraft(world(), org)];
  for (const { id } of [one, other]) await schedule(org, id);
  const [overRest, overTool] = await whileItIs(world(), new Date().toISOString(), async () => [
    await org.rest(`POST /v1/broadcasts/${one.id}/unschedule`),
    await org.tool('unschedule_broadcast', { broadcast_id: other.id }),
  ]);
  const { created_at, sender } = overTool.body.broadcast;
  const same = { ...overRest.body.broadcast, id: other.id, created_at, sender };
  expect(overTool.body).toEqual({ broadcast: same });
  expect(same).toMatchObject({ status: 'draft', timing: { send_at: null } });
  expect(await read(org, other.id)).toEqual(same);
});

test.each(['draft', 'sending', 'sent', 'stopped', 'error'])(
  'TOL-008 ERR-001 unschedule_broadcast refuses what is %s as POST …/unschedule does',
  async (status) => {
    const org = await world().newOrg();
    const { id } = await newDraft(org, { audience: 'everyone' });
    if (status !== 'draft') await putInState(world(), id, status);
    const before = await contentsOf(world().admin, org);
    const overRest = await org.rest(`POST /v1/broadcasts/${id}/unschedule`);
    const overTool = await org.tool('unschedule_broadcast', { broadcast_id: id });
    const { code, detail, title } = overRest.body;
    expect([overRest.status, code]).toEqual([409, status === 'draft' ? 'not_scheduled' : 'sending_begun']);
    expect(overTool).toMatchObject({
      isError: true,
      text: detail,
      body: { status: 409, code, detail, title },
    });
    expect(await contentsOf(world().admin, org)).toEqual(before);
  },
);

test('TOL-009 STA-002 get_broadcast_stats gives what GET …/stats gives, in every state, and writes nothing', async () => {
  const org = await world().newOrg();
  for (const status of ['draft', 'scheduled', 'sending', 'sent', 'stopped', 'error']) {
    const { id } = await newDraft(org, { audience: 'everyone' });
    if (status !== 'draft') await putInState(world(), id, status, { sent: status === 'sent' ? 4 : 0 });
    const before = await contentsOf(world().admin, org);
    const [overRest, overTool] = await whileItIs(world(), new Date().toISOString(), async () => [
      await org.rest(`GET /v1/broadcasts/${id}/stats`),
      await org.tool('get_broadcast_stats', { broadcast_id: id }),
    ]);
    expect(overRest.status).toBe(200);
    expect(overTool).toMatchObject({ isError: false });
    expect(overTool.body).toEqual(overRest.body);
    const sent = status === 'sent' ? 4 : 0;
    expect(overRest.body).toMatchObject({
      broadcast_id: id,
      status,
      balanced: true,
      totals: { recipients: sent, sent, opened: 0, clicked: 0, pending: 0 },
    });
    expect(await contentsOf(world().admin, org)).toEqual(before);
  }
});

test('TOL-004 TOL-006 TOL-007 TOL-008 TOL-009 what nobody has is not found, in the same words over both faces', async () => {
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org);
  const { plan_token } = await plan(org, id);
  const broadcast_id = randomUUID();
  const before = await contentsOf(world().admin, org);
  for (const [tool, route, fields] of [
    ['update_broadcast', 'PATCH /v1/broadcasts/ID', { subject: 'Hello' }],
    ['plan_broadcast', 'POST /v1/broadcasts/ID/plan', {}],
    ['schedule_broadcast', 'POST /v1/broadcasts/ID/schedule', { plan_token }],
    ['unschedule_broadcast', 'POST /v1/broadcasts/ID/unschedule', {}],
    ['get_broadcast_stats', 'GET /v1/broadcasts/ID/stats', undefined],
  ] as const) {
    const overRest = await org.rest(route.replace('ID', broadcast_id), fields);
    const overTool = await org.tool(tool, { broadcast_id, ...fields });
    const detail = 'No broadcast with this id exists in this organization.';
    expect(overRest).toMatchObject({ status: 404, body: { code: 'not_found', detail } });
    expect(overTool).toMatchObject({ isError: true, text: detail, body: { status: 404, code: 'not_found' } });
  }
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test('the broadcast tools need the permissions of their routes: to draft is not to plan, and neither is to schedule', async () => {
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org);
  const { plan_token } = await plan(org, id);
  const person_id = await org.person({ email: 'reader@example.com' });
  const calls = {
    'broadcasts.write': [
      ['create_broadcast', { audience: 'everyone' }],
      ['update_broadcast', { broadcast_id: id }],
    ],
    'broadcasts.read': [
      ['list_broadcast_variables', {}],
      ['list_senders', {}],
      ['list_broadcasts', {}],
      ['get_broadcast', { broadcast_id: id }],
      ['plan_broadcast', { broadcast_id: id }],
      ['get_broadcast_stats', { broadcast_id: id }],
      ['explain_recipient', { broadcast_id: id, person_id }],
    ],
    'broadcasts.schedule': [
      ['schedule_broadcast', { broadcast_id: id, plan_token }],
      ['unschedule_broadcast', { broadcast_id: id }],
      ['stop_broadcast', { broadcast_id: id }],
    ],
  } as const;
  const refusedByState: Readonly<Record<string, string>> = { stop_broadcast: 'not_sending' };
  const permissions = Object.keys(calls) as (keyof typeof calls)[];
  for (const held of permissions) {
    const key = await world().newKey(org, [held]);
    expect((await key.toolNames()).toSorted()).toEqual(
      calls[held].map(([name]) => name as string).toSorted(),
    );
    for (const [needed, tools] of permissions.map((one) => [one, calls[one]] as const)) {
      for (const [name, input] of tools) {
        const { isError, body } = await key.tool(name, input);
        expect({ held, name, refused: isError && body.code }).toEqual({
          held,
          name,
          refused: held === needed ? (refusedByState[name] ?? false) : 'forbidden',
        });
      }
    }
  }
});
