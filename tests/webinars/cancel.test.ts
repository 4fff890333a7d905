import { expect, test } from 'vitest';
import { inHours } from '../support/broadcast.ts';
import { contentsOf } from '../support/org-contents.ts';
import { createWebinar } from '../support/webinar.ts';
import { useWorld } from '../support/world.ts';
import {
  anchored,
  goTo,
  lasting,
  minutes,
  newRegistrants,
  pathsOf,
  plus,
  readWebinar,
  ringClock,
  setTo,
  waitingWorkflow,
  waitsOf,
} from './waiting.ts';

const world = useWorld();

const cancel = async (
  org: { rest: (route: string, body: object) => Promise<{ body: unknown }> },
  id: string,
) =>
  (await org.rest(`POST /v1/webinars/${id}/cancel`, {})).body as {
    webinar: { status: string };
    ending: number;
  };

test('canceling ends every run of the webinar, whatever it waits for, and none of another', async () => {
  const org = await world().newOrg();
  const start = inHours(96);
  const { id } = await createWebinar(org, { start_time: start });
  const other = await createWebinar(org, { start_time: start });
  await waitingWorkflow(org, null, anchored('start', 'start', -60));
  await waitingWorkflow(org, null, anchored('end', 'end', 60));
  await waitingWorkflow(org, null, lasting('lasting', 6000));
  await newRegistrants(world(), org, id, 2);
  await newRegistrants(world(), org, other.id, 1);
  const { admin } = world();
  await admin.query('delete from outbox where org_id = $1', [org.id]);

  const { webinar, ending } = await cancel(org, id);
  expect([webinar.status, ending]).toEqual(['canceled', 6]);
  // Nothing of theirs is written in the call: the clock is set to now, and the engine told.
  expect(await waitsOf(world(), id)).toHaveLength(6);
  const at = await setTo(world(), id);
  expect(Date.parse(at!)).toBeLessThanOrEqual(Date.now());
  const { rows } = await admin.query('select service, payload from outbox where org_id = $1', [org.id]);
  expect(rows).toEqual([{ service: 'WaitClock', payload: { org_id: org.id, clock_id: id, at } }]);

  await ringClock(world(), org, id);
  const ended = await pathsOf(world(), id);
  expect(ended.map(({ state, outcome, path }) => [state, outcome, path])).toEqual(
    Array.from({ length: 6 }, () => ['ended', 'webinar_canceled', []]),
  );
  expect(await waitsOf(world(), id)).toEqual([]);
  expect(await setTo(world(), id)).toBe('never');
  expect((await pathsOf(world(), other.id)).map(({ state }) => state)).toEqual([
    'running',
    'running',
    'running',
  ]);
});

test('canceling again changes nothing, and over the tool it is the same', async () => {
  const org = await world().newOrg();
  const { id } = await createWebinar(org);
  const tool = await org.tool('cancel_webinar', { webinar_id: id });
  expect([tool.isError, tool.body.webinar.status, tool.body.ending]).toEqual([false, 'canceled', 0]);
  const before = await contentsOf(world().admin, org);
  const again = await org.rest(`POST /v1/webinars/${id}/cancel`, {});
  expect(again).toMatchObject({ status: 200, body: tool.body });
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test('a canceled webinar stays readable, and is neither changed nor brought back', async () => {
  const org = await world().newOrg();
  const made = await createWebinar(org);
  await cancel(org, made.id);
  const read = await readWebinar(org, made.id);
  expect(read).toEqual({ ...made, status: 'canceled', updated_at: read.updated_at });
  for (const sent of [
    { status: 'scheduled' },
    { status: 'draft' },
    { title: 'A' },
    { duration_minutes: 5 },
  ]) {
    const { status, body } = await org.rest(`PATCH /v1/webinars/${made.id}`, sent);
    expect([sent, status, body.code]).toEqual([sent, 409, 'webinar_canceled']);
  }
  const { body } = await org.rest('POST /v1/webinars/register', {
    webinar_id: made.id,
    user: { email: 'late@example.com' },
  });
  expect(body.code).toBe('webinar_canceled');
  expect(await readWebinar(org, made.id)).toEqual(read);
});

test('runs held back by a pause end with their webinar, and resuming brings none of them back', async () => {
  const org = await world().newOrg();
  const start = inHours(96);
  const { id } = await createWebinar(org, { start_time: start });
  const workflow = await waitingWorkflow(org, id, anchored('w', 'start', -60));
  await newRegistrants(world(), org, id, 2);
  expect((await org.rest(`POST /v1/workflows/${workflow}/pause`, {})).status).toBe(200);
  await goTo(world(), org, plus(start, -minutes(60)), id);
  expect((await waitsOf(world(), id)).map(({ held }) => held)).toEqual([true, true]);
  expect((await cancel(org, id)).ending).toBe(2);
  await ringClock(world(), org, id);
  expect(await waitsOf(world(), id)).toEqual([]);
  expect((await org.rest(`POST /v1/workflows/${workflow}/resume`, {})).status).toBe(200);
  await ringClock(world(), org, id);
  expect((await pathsOf(world(), id)).map(({ outcome }) => outcome)).toEqual([
    'webinar_canceled',
    'webinar_canceled',
  ]);
  expect(await setTo(world(), id)).toBe('never');
});

test('canceling, moving and registering at once end in one state: canceled, and nobody waits', async () => {
  const org = await world().newOrg();
  const start = inHours(96);
  for (let round = 0; round < 5; round++) {
    const { id } = await createWebinar(org, { start_time: start });
    await waitingWorkflow(org, id, anchored('w', 'start', -60));
    await newRegistrants(world(), org, id, 1);
    const answers = await Promise.all([
      ...[1, 2, 3].map((hours) =>
        org.rest('POST /v1/webinars/reschedule', {
          webinar_id: id,
          start_time: plus(start, minutes(60 * hours)),
        }),
      ),
      org.rest(`POST /v1/webinars/${id}/cancel`, {}),
      ...[1, 2, 3, 4].map((index) =>
        org.rest('POST /v1/webinars/register', {
          webinar_id: id,
          user: { email: `r${round}-${index}@example.com` },
        }),
      ),
      ringClock(world(), org, id).then(() => ({ status: 200 })),
    ]);
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect((await readWebinar(org, id)).status).toBe('canceled');
    await ringClock(world(), org, id);
    expect(await waitsOf(world(), id)).toEqual([]);
    expect(await setTo(world(), id)).toBe('never');
    expect(new Set((await pathsOf(world(), id)).map(({ outcome }) => outcome))).toEqual(
      new Set(['webinar_canceled']),
    );
  }
});
