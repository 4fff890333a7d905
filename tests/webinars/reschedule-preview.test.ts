import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { inHours, plan, readyDraft } from '../support/broadcast.ts';
import { contentsOf } from '../support/org-contents.ts';
import { createWebinar } from '../support/webinar.ts';
import { liveWorkflow, onRegistration } from '../support/workflow.ts';
import { useWorld } from '../support/world.ts';
import {
  anchored,
  days,
  goTo,
  lasting,
  minutes,
  newRegistrants,
  pathsOf,
  plus,
  reschedule,
  stepAt,
  waitingWorkflow,
} from './waiting.ts';

const world = useWorld();

/** Waits for a moment and skips what comes after it when that has passed. */
const skipping = (webinar: string, offset_minutes: number) => ({
  trigger: { ...onRegistration(webinar), next: 'w' },
  nodes: [
    { ...anchored('w', 'start', offset_minutes), next: 'more', past: 'done' },
    { ...lasting('more', 1), next: 'done' },
    { id: 'done', type: 'end' },
  ],
});

test('a preview tells what would move from when to when, and what of it is past by then; both faces agree', async () => {
  const org = await world().newOrg();
  const start = inHours(96);
  const { id } = await createWebinar(org, { start_time: start, duration_minutes: 30 });
  const dayBefore = await liveWorkflow(org, skipping(id, -1440), 'A day before');
  const hourBefore = await waitingWorkflow(org, id, anchored('w', 'start', -60));
  const afterwards = await waitingWorkflow(org, null, anchored('w', 'end', 15));
  await waitingWorkflow(org, id, lasting('lasting', 6000));
  await newRegistrants(world(), org, id, 3);
  const to = inHours(0.5);

  const before = await contentsOf(world().admin, org);
  const { status, body } = await org.rest(`POST /v1/webinars/${id}/reschedule-preview`, { start_time: to });
  expect(status).toBe(200);
  const group = (workflow_id: string, anchor: string, offset_minutes: number, lasts = 0) => ({
    workflow_id,
    version: 1,
    node: 'w',
    anchor,
    offset_minutes,
    count: 3,
    from: plus(start, minutes(lasts + offset_minutes)),
    to: plus(to, minutes(lasts + offset_minutes)),
  });
  expect(body).toEqual({
    webinar_id: id,
    start_time: { from: start, to },
    recomputed: 9,
    already_past: 6,
    waits: [
      { ...group(dayBefore, 'start', -1440), workflow_name: 'A day before', past: true, if_past: 'skipped' },
      { ...group(hourBefore, 'start', -60), workflow_name: 'A workflow', past: true, if_past: 'released' },
      { ...group(afterwards, 'end', 15, 30), workflow_name: 'A workflow', past: false, if_past: null },
    ],
    groups_left_out: 0,
    broadcasts: [],
  });
  const tool = await org.tool('preview_reschedule', { webinar_id: id, start_time: to });
  expect(tool.body).toEqual(body);
  expect(await contentsOf(world().admin, org)).toEqual(before);

  // And so it comes.
  expect(await reschedule(org, id, to)).toBe(body.recomputed);
  await goTo(world(), org, inHours(0.01), id);
  const didAt = new Map(
    (await pathsOf(world(), id)).map(({ workflow_id, path }) => [workflow_id, path.map(({ did }) => did)]),
  );
  expect(didAt.get(dayBefore)).toEqual(['past', 'ended']);
  expect(didAt.get(hourBefore)).toEqual(['past', 'ended']);
  expect(didAt.get(afterwards)).toEqual([]);
});

test('what is late already and is put off to a moment that has passed too is released, as the preview says', async () => {
  const org = await world().newOrg();
  const start = inHours(96);
  const { id } = await createWebinar(org, { start_time: start });
  await liveWorkflow(org, skipping(id, -120));
  await newRegistrants(world(), org, id, 1);
  expect((await org.rest('POST /v1/test-clock', { now: plus(start, -minutes(60)) })).status).toBe(200);
  const to = plus(start, minutes(30));
  const { body } = await org.rest(`POST /v1/webinars/${id}/reschedule-preview`, { start_time: to });
  expect(body.waits).toMatchObject([{ past: true, if_past: 'released' }]);
  await reschedule(org, id, to);
  await goTo(world(), org, plus(start, -minutes(59)), id);
  const [run] = await pathsOf(world(), id);
  expect(stepAt(run!.path, 'w')).toMatchObject({ did: 'waited', at: plus(to, -minutes(120)) });
});

test('a preview names the scheduled broadcasts that would keep their time, and no others', async () => {
  const org = await world().newOrg();
  const start = inHours(48);
  const { id: webinar_id } = await createWebinar(org, { start_time: start });
  const other = await createWebinar(org, { start_time: start });
  const draftFor = (fields: object) => readyDraft(world(), org, { audience: 'webinar', ...fields });
  const scheduleDraft = async (id: string, send_at: string | null) => {
    const { plan_token } = await plan(org, id, send_at);
    expect((await org.rest(`POST /v1/broadcasts/${id}/schedule`, { plan_token })).status).toBe(200);
  };
  const timed = await draftFor({ webinar_id, webinar_offset_minutes: 60 });
  await scheduleDraft(timed.id, null);
  await scheduleDraft((await draftFor({ webinar_id })).id, inHours(5)); // at a time of its own
  await scheduleDraft((await draftFor({ webinar_id: other.id, webinar_offset_minutes: 60 })).id, null);
  await draftFor({ webinar_id, webinar_offset_minutes: 30 }); // not scheduled

  const { body } = await org.rest(`POST /v1/webinars/${webinar_id}/reschedule-preview`, {
    start_time: plus(start, days(1)),
  });
  expect(body).toMatchObject({ recomputed: 0, already_past: 0, waits: [] });
  expect(body.broadcasts).toEqual([
    { id: timed.id, channel: 'email', subject: 'Hello', send_at: plus(start, -minutes(60)) },
  ]);
});

test('of many groups the earliest two hundred are told, and the numbers are of all', async () => {
  const org = await world().newOrg();
  const start = inHours(96);
  const { id } = await createWebinar(org, { start_time: start });
  await waitingWorkflow(org, id, anchored('w', 'start', -60));
  await newRegistrants(world(), org, id, 1);
  await world().admin.query(
    `with runs as (
       insert into workflow_runs (org_id, id, workflow_id, version, person_id, webinar_id, started_at)
       select $1, gen_random_uuid(), w.workflow_id, w.version, w.person_id, $2, now()
       from generate_series(1, 250) n, (select * from waits where clock_id = $2) w
       returning id, person_id, workflow_id, version
     )
     insert into waits (org_id, run_id, clock_id, person_id, workflow_id, version, node, anchor, offset_ms, began_at)
     select $1, id, $2, person_id, workflow_id, version, 'w', 'start', row_number() over () * 60000, now() from runs`,
    [org.id, id],
  );
  const { body } = await org.rest(`POST /v1/webinars/${id}/reschedule-preview`, { start_time: start });
  expect(body).toMatchObject({ recomputed: 251, groups_left_out: 51 });
  expect(body.waits).toHaveLength(200);
  expect(body.waits.map(({ offset_minutes }: { offset_minutes: number }) => offset_minutes)).toEqual([
    -60,
    ...Array.from({ length: 199 }, (_, index) => index + 1),
  ]);
});

test('a preview refuses what rescheduling refuses', async () => {
  const org = await world().newOrg();
  const { id } = await createWebinar(org);
  const start_time = '2031-05-02T10:00:00Z';
  const ask = async (webinar: string, sent: object) => {
    const { status, body } = await org.rest(`POST /v1/webinars/${webinar}/reschedule-preview`, sent);
    return [status, body.code];
  };
  expect(await ask(id, {})).toEqual([400, 'invalid_request']);
  expect(await ask(id, { start_time: '2031-05-02T10:00:00' })).toEqual([400, 'invalid_request']);
  expect(await ask(randomUUID(), { start_time })).toEqual([404, 'not_found']);
  await org.rest(`POST /v1/webinars/${id}/cancel`, {});
  expect(await ask(id, { start_time })).toEqual([409, 'webinar_canceled']);
});
