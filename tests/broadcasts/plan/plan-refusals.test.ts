import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { newWebinar, plan, schedule, readyDraft } from '../../support/broadcast.ts';
import { contentsOf } from '../../support/org-contents.ts';
import { asProblem, problem } from '../../support/problem.ts';
import { useWorld } from '../../support/world.ts';
import { readyInvitation, readyText, whileItIs, type Json } from './plan-support.ts';

const world = useWorld();

const withoutToken = (planned: Json): Json => ({ ...planned, plan_token: null });

test('PLN-008 PLN-022 the tool answers as REST does, and either token schedules', async () => {
  const org = await world().newOrg();
  const webinar = await newWebinar(world(), org);
  const drafts = [
    await readyDraft(world(), org),
    await readyInvitation(world(), org, webinar, { webinar_offset_minutes: 60 }),
    await readyText(world(), org),
  ];
  const now = new Date().toISOString();
  const send_at = new Date(Date.parse(now) + 24 * 3_600_000).toISOString();
  for (const [at, { id }] of drafts.entries()) {
    const [overRest, asTool] = await whileItIs(world(), now, async () => [
      await plan(org, id, send_at),
      (await org.tool('plan_broadcast', { broadcast_id: id, send_at })).body,
    ]);
    expect(withoutToken(asTool)).toEqual(withoutToken(overRest));
    const { plan_token } = at % 2 === 0 ? asTool : overRest;
    const scheduled =
      at % 2 === 0
        ? (await org.rest(`POST /v1/broadcasts/${id}/schedule`, { plan_token })).body
        : (await org.tool('schedule_broadcast', { broadcast_id: id, plan_token })).body;
    expect(scheduled).toMatchObject({ broadcast: { id, status: 'scheduled' } });
  }
});

test('a scheduled broadcast is not planned: it is refused with what to do, over both faces, until it is a draft again', async () => {
  const org = await world().newOrg();
  for (const { id } of [await readyDraft(world(), org), await readyText(world(), org)]) {
    await schedule(org, id);
    const before = await contentsOf(world().admin, org);
    const path = `/v1/broadcasts/${id}/plan`;
    const refused = await org.rest(`POST ${path}`, { send_at: '2027-04-02T10:00:00Z' });
    expect(asProblem(refused)).toEqual(problem(409, 'broadcast_scheduled', path));
    const asTool = await org.tool('plan_broadcast', { broadcast_id: id });
    expect(asTool).toMatchObject({ isError: true, body: { status: 409, code: 'broadcast_scheduled' } });
    expect(asTool.text).toBe(refused.body.detail);
    expect(asTool.text).toMatch(/Unschedule it first\.$/);
    expect(await contentsOf(world().admin, org)).toEqual(before);
    expect((await org.rest(`POST /v1/broadcasts/${id}/unschedule`)).status).toBe(200);
    expect((await plan(org, id)).ready).toBe(true);
  }
});

test.each(['sending', 'sent', 'stopped', 'error'])(
  'a broadcast that is %s is not planned',
  async (status) => {
    const org = await world().newOrg();
    const { id } = await readyDraft(world(), org);
    await world().admin.query(
      'update broadcasts set status = $2, send_at = now(), started_at = now() where id = $1',
      [id, status],
    );
    const path = `/v1/broadcasts/${id}/plan`;
    const refused = await org.rest(`POST ${path}`, { send_at: '2027-04-02T10:00:00Z' });
    expect(asProblem(refused)).toEqual(problem(409, 'sending_begun', path));
    const asTool = await org.tool('plan_broadcast', { broadcast_id: id });
    expect(asTool).toMatchObject({ isError: true, body: { status: 409, code: 'sending_begun' } });
    expect(asTool.text).toBe(refused.body.detail);
    expect(asTool.text).toContain(status);
    expect(asTool.text).toMatch(/draft/);
  },
);

test('a broadcast that failed before it began is not planned until it is a draft again, and the refusal says how', async () => {
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org);
  await schedule(org, id);
  await world().admin.query("update broadcasts set status = 'error', error = 'Late.' where id = $1", [id]);
  const path = `/v1/broadcasts/${id}/plan`;
  const refused = await org.rest(`POST ${path}`, {});
  expect(asProblem(refused)).toEqual(problem(409, 'failed_to_begin', path));
  const asTool = await org.tool('plan_broadcast', { broadcast_id: id });
  expect(asTool).toMatchObject({ isError: true, text: refused.body.detail });
  expect(asTool.text).toMatch(/Unschedule it first/);
  expect((await org.rest(`POST /v1/broadcasts/${id}/unschedule`)).status).toBe(200);
  expect((await plan(org, id)).ready).toBe(true);
});

test('a broadcast of another organization is not found, in the words for one that nobody has', async () => {
  const [org, other] = [await world().newOrg(), await world().newOrg()];
  const { id } = await readyDraft(world(), other);
  const details = [];
  for (const one of [id, randomUUID()]) {
    const path = `/v1/broadcasts/${one}/plan`;
    const refused = await org.rest(`POST ${path}`, {});
    expect(asProblem(refused)).toEqual(problem(404, 'not_found', path));
    const asTool = await org.tool('plan_broadcast', { broadcast_id: one });
    expect(asTool).toMatchObject({ isError: true, body: { status: 404, detail: refused.body.detail } });
    details.push(refused.body.detail);
  }
  expect(details[0]).toBe(details[1]);
  expect((await plan(other, id)).ready).toBe(true);
});

test('an id that is none is refused, also the word that is a path of its own', async () => {
  const org = await world().newOrg();
  for (const id of ['variables', 'x', '123', '00000000-0000-0000-0000-00000000000g']) {
    const { status, body } = await org.rest(`POST /v1/broadcasts/${id}/plan`, {});
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_request' });
    expect((await org.tool('plan_broadcast', { broadcast_id: id })).body.status).toBe(400);
  }
});

test('planning needs broadcasts.read and nothing more', async () => {
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org);
  const reader = await world().newKey(org, ['broadcasts.read']);
  expect((await plan(reader, id)).ready).toBe(true);
  const writer = await world().newKey(org, ['broadcasts.write', 'broadcasts.schedule', 'people.read']);
  const path = `/v1/broadcasts/${id}/plan`;
  const refused = await writer.rest(`POST ${path}`, {});
  expect(asProblem(refused)).toEqual(problem(403, 'forbidden', path));
  expect(refused.body.detail).toContain('broadcasts.read');
  expect(await writer.toolNames()).not.toContain('plan_broadcast');
  expect((await writer.tool('plan_broadcast', { broadcast_id: id })).body.status).toBe(403);
});
