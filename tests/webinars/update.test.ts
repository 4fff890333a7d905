import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { inHours } from '../support/broadcast.ts';
import { contentsOf } from '../support/org-contents.ts';
import { createWebinar } from '../support/webinar.ts';
import { newWorkflow } from '../support/workflow.ts';
import { useWorld } from '../support/world.ts';
import {
  anchored,
  days,
  goTo,
  minutes,
  newRegistrants,
  pathsOf,
  plus,
  readWebinar,
  setTo,
  stepAt,
  waitingWorkflow,
  waitsOf,
} from './waiting.ts';

const world = useWorld();

test('the fields sent change and the others stay, on both faces', async () => {
  const org = await world().newOrg();
  const { id: automation_id } = await newWorkflow(org);
  const made = await createWebinar(org, { provider: 'Ours', join_url: 'https://example.com/a' });
  const rest = await org.rest(`PATCH /v1/webinars/${made.id}`, {
    title: 'Going further',
    timezone: 'Europe/Paris',
    duration_minutes: 45,
    automation_id,
    status: 'draft',
  });
  expect(rest.status).toBe(200);
  const expected = {
    ...made,
    title: 'Going further',
    timezone: 'Europe/Paris',
    duration_minutes: 45,
    automation_id,
    status: 'draft',
    updated_at: rest.body.webinar.updated_at,
  };
  expect(rest.body).toEqual({ webinar: expected, recomputed: 0 });
  expect(await readWebinar(org, made.id)).toEqual(expected);
  const tool = await org.tool('update_webinar', {
    webinar_id: made.id,
    status: 'scheduled',
    provider: 'Theirs',
  });
  expect(tool.body.webinar).toMatchObject({
    status: 'scheduled',
    provider: 'Theirs',
    title: 'Going further',
  });
});

test('null clears what a webinar need not have, and nothing else', async () => {
  const org = await world().newOrg();
  const { id: automation_id } = await newWorkflow(org);
  const { id } = await createWebinar(org, {
    timezone: 'Europe/Paris',
    duration_minutes: 45,
    join_url: 'https://example.com/a',
    provider: 'Ours',
    automation_id,
  });
  const cleared = {
    timezone: null,
    duration_minutes: null,
    join_url: null,
    provider: null,
    automation_id: null,
  };
  const { status, body } = await org.rest(`PATCH /v1/webinars/${id}`, cleared);
  expect([status, body.webinar]).toEqual([200, expect.objectContaining(cleared)]);
  for (const field of ['title', 'status']) {
    expect((await org.rest(`PATCH /v1/webinars/${id}`, { [field]: null })).status).toBe(400);
  }
});

test('what is not valid is refused and changes nothing; the start points to where it is changed', async () => {
  const org = await world().newOrg();
  const { id } = await createWebinar(org);
  const before = await contentsOf(world().admin, org);
  for (const [sent, pointer] of [
    [{}, ''],
    [{ title: '' }, '/title'],
    [{ timezone: 'Mars/Olympus' }, '/timezone'],
    [{ duration_minutes: 0 }, '/duration_minutes'],
    [{ duration_minutes: '45' }, '/duration_minutes'],
    [{ status: 'canceled' }, '/status'],
    [{ automation_id: 'none' }, '/automation_id'],
    [{ title: 'A', id: randomUUID() }, '/id'],
    [{ title: 'A', moved_at: null }, '/moved_at'],
  ] as const) {
    const { status, body } = await org.rest(`PATCH /v1/webinars/${id}`, sent);
    expect({ sent, status, pointer: body.errors?.[0]?.pointer }).toEqual({ sent, status: 400, pointer });
  }
  for (const answer of [
    await org.rest(`PATCH /v1/webinars/${id}`, { title: 'A', start_time: inHours(5) }),
    await org.tool('update_webinar', { webinar_id: id, title: 'A', start_time: inHours(5) }),
  ]) {
    expect(answer.body).toMatchObject({ status: 400, errors: [{ pointer: '/start_time' }] });
    expect(answer.body.detail).toContain('reschedule_webinar');
  }
  const unknown = await org.rest(`PATCH /v1/webinars/${id}`, { automation_id: randomUUID() });
  expect([unknown.status, unknown.body.code]).toEqual([404, 'not_found']);
  const nobodys = await org.rest(`PATCH /v1/webinars/${randomUUID()}`, { title: 'A' });
  expect([nobodys.status, nobodys.body.code]).toEqual([404, 'not_found']);
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test('an automation_id of another organization is as unknown as any other', async () => {
  const [mine, theirs] = [await world().newOrg(), await world().newOrg()];
  const { id: automation_id } = await newWorkflow(theirs);
  const { id } = await createWebinar(mine);
  const { status } = await mine.rest(`PATCH /v1/webinars/${id}`, { automation_id });
  expect([status, (await readWebinar(mine, id)).automation_id]).toEqual([404, null]);
});

test('a change to what it is already writes nothing', async () => {
  const org = await world().newOrg();
  const made = await createWebinar(org, { duration_minutes: 45, timezone: 'Europe/Paris' });
  const before = await contentsOf(world().admin, org);
  const { title, timezone, duration_minutes, join_url, provider, status, automation_id } = made;
  const same = { title, timezone, duration_minutes, join_url, provider, status, automation_id };
  const answer = await org.rest(`PATCH /v1/webinars/${made.id}`, same);
  expect(answer).toMatchObject({ status: 200, body: { webinar: made, recomputed: 0 } });
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test('a new length moves the waits reckoned from the end, and only those', async () => {
  const org = await world().newOrg();
  const start = inHours(96);
  const { id } = await createWebinar(org, { start_time: start });
  await waitingWorkflow(org, id, anchored('start', 'start', -60));
  await waitingWorkflow(org, id, anchored('end', 'end', 10));
  await newRegistrants(world(), org, id, 2);
  const change = async (duration_minutes: number | null) =>
    (await org.rest(`PATCH /v1/webinars/${id}`, { duration_minutes })).body.recomputed;
  const due = async () => [...new Set((await waitsOf(world(), id)).map((wait) => wait.due))];
  const { admin } = world();
  const told = async () =>
    Number((await admin.query('select count(*) from outbox where org_id = $1', [org.id])).rows[0].count);

  expect(await change(90)).toBe(2);
  expect(await due()).toEqual([plus(start, -minutes(60)), plus(start, minutes(100))]);
  const before = await told();
  // It is taken to last an hour when nobody says.
  expect(await change(60)).toBe(2);
  expect(await change(null)).toBe(0);
  expect(await change(60)).toBe(0);
  expect(await told()).toBe(before + 1);
  expect(await due()).toEqual([plus(start, -minutes(60)), plus(start, minutes(70))]);
  expect(await setTo(world(), id)).toBe(plus(start, -minutes(60)));
  await goTo(world(), org, plus(start, -minutes(60)), id);
  expect(await setTo(world(), id)).toBe(plus(start, minutes(70)));
  expect(await change(5)).toBe(2);
  expect(await setTo(world(), id)).toBe(plus(start, minutes(15)));
});

test('a webinar that ends sooner than it was to, while it is on, puts what is past by then on its way', async () => {
  const org = await world().newOrg();
  const start = inHours(96);
  const { id } = await createWebinar(org, { start_time: start, duration_minutes: 120 });
  await waitingWorkflow(org, id, anchored('end', 'end', 10));
  await newRegistrants(world(), org, id, 1);
  await goTo(world(), org, plus(start, minutes(60)), id);
  const { body } = await org.rest(`PATCH /v1/webinars/${id}`, { duration_minutes: 30 });
  expect(body.recomputed).toBe(1);
  await goTo(world(), org, plus(start, minutes(61)), id);
  const [run] = await pathsOf(world(), id);
  expect([run!.state, stepAt(run!.path, 'end')?.did]).toEqual(['ended', 'past']);
});

test('the title and the zone move no wait and set no clock', async () => {
  const org = await world().newOrg();
  const { id } = await createWebinar(org, { start_time: inHours(96) });
  await waitingWorkflow(org, id, anchored('w', 'start', -60));
  await newRegistrants(world(), org, id, 1);
  const { admin } = world();
  const clockOf = async () => [await setTo(world(), id), await waitsOf(world(), id)];
  const before = await clockOf();
  await admin.query('delete from outbox where org_id = $1', [org.id]);
  const { body } = await org.rest(`PATCH /v1/webinars/${id}`, { title: 'Another', timezone: 'Asia/Tokyo' });
  expect(body.recomputed).toBe(0);
  expect(await clockOf()).toEqual(before);
  expect((await admin.query('select 1 from outbox where org_id = $1', [org.id])).rowCount).toBe(0);
});

test('changes at once are all kept: each changes its own field', async () => {
  const org = await world().newOrg();
  const start = inHours(96);
  const { id } = await createWebinar(org, { start_time: start });
  const answers = await Promise.all([
    org.rest(`PATCH /v1/webinars/${id}`, { title: 'Another' }),
    org.rest(`PATCH /v1/webinars/${id}`, { timezone: 'Asia/Tokyo' }),
    org.rest(`PATCH /v1/webinars/${id}`, { duration_minutes: 45 }),
    org.rest('POST /v1/webinars/reschedule', { webinar_id: id, start_time: plus(start, days(1)) }),
    org.rest(`PATCH /v1/webinars/${id}`, { provider: 'Ours' }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(await readWebinar(org, id)).toMatchObject({
    title: 'Another',
    timezone: 'Asia/Tokyo',
    duration_minutes: 45,
    provider: 'Ours',
    start_time: plus(start, days(1)),
  });
});
