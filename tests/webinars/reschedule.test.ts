import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { inHours, plan, readyDraft } from '../support/broadcast.ts';
import { contentsOf } from '../support/org-contents.ts';
import { createWebinar } from '../support/webinar.ts';
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
  readWebinar,
  reschedule,
  setTo,
  stepAt,
  waitingWorkflow,
  waitsOf,
} from './waiting.ts';

const world = useWorld();

test('RSC-001 RSC-002 rescheduling sets the start time, on both faces and with any offset', async () => {
  const org = await world().newOrg();
  const { id, updated_at } = await createWebinar(org, { start_time: '2031-05-01T10:00:00Z' });
  const answer = await org.rest('POST /v1/webinars/reschedule', {
    webinar_id: id,
    start_time: '2031-05-02T12:00:00+02:00',
  });
  expect(answer).toMatchObject({ status: 200, body: { recomputed: 0 } });
  const moved = await readWebinar(org, id);
  expect(moved).toMatchObject({ start_time: '2031-05-02T10:00:00.000Z', status: 'scheduled' });
  expect(Date.parse(moved.updated_at)).toBeGreaterThan(Date.parse(updated_at));
  const tool = await org.tool('reschedule_webinar', { webinar_id: id, start_time: '2031-05-03T10:00:00Z' });
  expect([tool.isError, tool.body]).toEqual([false, { recomputed: 0 }]);
  expect((await readWebinar(org, id)).start_time).toBe('2031-05-03T10:00:00.000Z');
});

test('RSC-002 a draft webinar is moved as well and stays a draft', async () => {
  const org = await world().newOrg();
  const { id } = await createWebinar(org, { status: 'draft' });
  await reschedule(org, id, '2031-05-02T10:00:00Z');
  expect(await readWebinar(org, id)).toMatchObject({
    status: 'draft',
    start_time: '2031-05-02T10:00:00.000Z',
  });
});

test('RSC-003 without its fields, or with a time that is none, rescheduling is refused and moves nothing', async () => {
  const org = await world().newOrg();
  const { id } = await createWebinar(org);
  await waitingWorkflow(org, id, anchored('w', 'start', -60));
  await newRegistrants(world(), org, id, 1);
  const start_time = '2031-05-02T10:00:00Z';
  const before = await contentsOf(world().admin, org);
  for (const [sent, pointer] of [
    [{ start_time }, '/webinar_id'],
    [{ webinar_id: id }, '/start_time'],
    [{ webinar_id: 'none', start_time }, '/webinar_id'],
    [{ webinar_id: id, start_time: 'tomorrow' }, '/start_time'],
    [{ webinar_id: id, start_time: '2031-05-02' }, '/start_time'],
    [{ webinar_id: id, start_time: '2031-05-02T10:00:00' }, '/start_time'],
    [{ webinar_id: id, start_time: '2031-02-30T10:00:00Z' }, '/start_time'],
    [{ webinar_id: id, start_time: '9999-12-31T23:59:59-23:00' }, '/start_time'],
    [{ webinar_id: id, start_time: 1_935_000_000_000 }, '/start_time'],
    [{ webinar_id: id, start_time: null }, '/start_time'],
    [{ webinar_id: id, start_time, timezone: 'Europe/Paris' }, '/timezone'],
  ] as const) {
    const rest = await org.rest('POST /v1/webinars/reschedule', sent);
    expect({ sent, status: rest.status, pointer: rest.body.errors?.[0]?.pointer }).toEqual({
      sent,
      status: 400,
      pointer,
    });
    const tool = await org.tool('reschedule_webinar', sent);
    expect({ sent, isError: tool.isError, code: tool.body.code }).toEqual({
      sent,
      isError: true,
      code: 'invalid_request',
    });
  }
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test('RSC-004 RSC-005 RSC-006 pending waits before and after the start move to the new time, and are counted', async () => {
  const org = await world().newOrg();
  const start = inHours(96);
  const { id } = await createWebinar(org, { start_time: start });
  await waitingWorkflow(org, id, anchored('before', 'start', -1440));
  await waitingWorkflow(org, id, anchored('after', 'start', 45));
  const people = await newRegistrants(world(), org, id, 3);
  expect(await setTo(world(), id)).toBe(plus(start, -days(1)));

  const sooner = plus(start, -days(1.5));
  expect(await reschedule(org, id, sooner)).toBe(6);
  const due = (await waitsOf(world(), id)).map((wait) => [wait.node, wait.due]);
  expect(due).toEqual([
    ...people.map(() => ['before', plus(sooner, -days(1))]),
    ...people.map(() => ['after', plus(sooner, minutes(45))]),
  ]);
  expect(await setTo(world(), id)).toBe(plus(sooner, -days(1)));

  // They end then, and not a moment before.
  await goTo(world(), org, plus(sooner, -days(1) - 60_000), id);
  expect(await waitsOf(world(), id)).toHaveLength(6);
  await goTo(world(), org, plus(sooner, -days(1)), id);
  expect(await setTo(world(), id)).toBe(plus(sooner, minutes(45)));
  await goTo(world(), org, plus(sooner, minutes(45)), id);
  const paths = await pathsOf(world(), id);
  expect(paths).toHaveLength(6);
  for (const { state, path } of paths) {
    const [step] = path;
    const at = step?.node === 'before' ? plus(sooner, -days(1)) : plus(sooner, minutes(45));
    expect({ state, step }).toEqual({ state: 'ended', step: { node: step?.node, at, did: 'waited' } });
  }
  expect(await setTo(world(), id)).toBe('never');
});

test('RSC-004 waits reckoned from the end move with the start, whether the length is known or not', async () => {
  const org = await world().newOrg();
  const start = inHours(96);
  for (const [duration_minutes, lasts] of [
    [90, 90],
    [undefined, 60],
  ] as const) {
    const { id } = await createWebinar(org, { start_time: start, duration_minutes });
    await waitingWorkflow(org, id, anchored('thanks', 'end', 10));
    await newRegistrants(world(), org, id, 1);
    expect(await setTo(world(), id)).toBe(plus(start, minutes(lasts + 10)));
    expect(await reschedule(org, id, plus(start, days(1)))).toBe(1);
    expect(await setTo(world(), id)).toBe(plus(start, days(1) + minutes(lasts + 10)));
  }
});

test('RSC-007 every run is moved, in every workflow, also in versions that are no longer live and in paused ones', async () => {
  const org = await world().newOrg();
  const start = inHours(96);
  const { id } = await createWebinar(org, { start_time: start });
  const bound = await waitingWorkflow(org, id, anchored('a', 'start', -60));
  const any = await waitingWorkflow(org, null, anchored('b', 'start', -120));
  const paused = await waitingWorkflow(org, id, anchored('c', 'start', -180));
  await newRegistrants(world(), org, id, 2);
  // Those who come from now on run another version of the first.
  const { nodes, trigger } = (await org.rest(`GET /v1/workflows/${bound}`)).body.workflow.graph;
  const graph = {
    trigger,
    nodes: nodes.map((node: object) => ({ ...node, ...('anchor' in node && { offset_minutes: -30 }) })),
  };
  expect((await org.rest(`PATCH /v1/workflows/${bound}`, { graph })).status).toBe(200);
  expect((await org.rest(`POST /v1/workflows/${bound}/publish`, {})).status).toBe(200);
  await newRegistrants(world(), org, id, 1);
  expect((await org.rest(`POST /v1/workflows/${paused}/pause`, {})).status).toBe(200);

  const later = plus(start, days(7));
  expect(await reschedule(org, id, later)).toBe(9);
  const counted = Map.groupBy(await waitsOf(world(), id), ({ workflow_id, due }) => `${workflow_id} ${due}`);
  expect(new Map([...counted].map(([key, waits]) => [key, waits.length]))).toEqual(
    new Map([
      [`${paused} ${plus(later, -minutes(180))}`, 3],
      [`${any} ${plus(later, -minutes(120))}`, 3],
      [`${bound} ${plus(later, -minutes(60))}`, 2],
      [`${bound} ${plus(later, -minutes(30))}`, 1],
    ]),
  );
});

test('RSC-008 finished waits are neither moved nor counted', async () => {
  const org = await world().newOrg();
  const start = inHours(96);
  const { id } = await createWebinar(org, { start_time: start });
  await waitingWorkflow(org, id, anchored('first', 'start', -1440), anchored('second', 'start', -60));
  await waitingWorkflow(org, id, anchored('only', 'start', -1440));
  await newRegistrants(world(), org, id, 2);
  await goTo(world(), org, plus(start, -days(1)), id);
  const done = await pathsOf(world(), id);

  expect(await reschedule(org, id, plus(start, days(3)))).toBe(2);
  expect((await waitsOf(world(), id)).map(({ node }) => node)).toEqual(['second', 'second']);
  expect(await pathsOf(world(), id)).toEqual(done);
  // Nobody goes through the first again at its new time.
  await goTo(world(), org, plus(start, days(3) - minutes(60)), id);
  for (const { state, path } of await pathsOf(world(), id)) {
    expect(state).toBe('ended');
    expect(path.filter(({ did }) => did !== 'ended').map(({ at }) => at)).toEqual(
      path.some(({ node }) => node === 'only')
        ? [plus(start, -days(1))]
        : [plus(start, -days(1)), plus(start, days(3) - minutes(60))],
    );
  }
});

test('RSC-009 waits of a duration and those of other webinars are neither moved nor counted', async () => {
  const org = await world().newOrg();
  const start = inHours(96);
  const [moved, other] = [
    await createWebinar(org, { start_time: start }),
    await createWebinar(org, { start_time: start }),
  ];
  await waitingWorkflow(org, null, anchored('anchored', 'start', -60));
  await waitingWorkflow(org, null, lasting('lasting', 600));
  await newRegistrants(world(), org, moved.id, 2);
  await newRegistrants(world(), org, other.id, 3);
  const unmoved = async () => [
    (await waitsOf(world(), moved.id)).filter(({ node }) => node === 'lasting'),
    await waitsOf(world(), other.id),
    await setTo(world(), other.id),
  ];
  const before = await unmoved();
  expect(await reschedule(org, moved.id, plus(start, days(2)))).toBe(2);
  expect(await unmoved()).toEqual(before);
  expect((await readWebinar(org, other.id)).start_time).toBe(start);
});

test('RSC-010 with no pending anchored wait nothing is recomputed', async () => {
  const org = await world().newOrg();
  const { id } = await createWebinar(org);
  expect(await reschedule(org, id, inHours(72))).toBe(0);
  await waitingWorkflow(org, id, lasting('lasting', 600));
  await newRegistrants(world(), org, id, 1);
  expect(await reschedule(org, id, inHours(73))).toBe(0);
});

test('rescheduling to the time it has writes nothing and says how many waits go by it', async () => {
  const org = await world().newOrg();
  const start = inHours(96);
  const { id } = await createWebinar(org, { start_time: start });
  await waitingWorkflow(org, id, anchored('w', 'start', -60));
  await newRegistrants(world(), org, id, 2);
  expect(await reschedule(org, id, plus(start, days(1)))).toBe(2);
  const before = await contentsOf(world().admin, org);
  expect(await reschedule(org, id, plus(start, days(1)).replace('Z', '+00:00'))).toBe(2);
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test('a move leaves no wait rewritten, one alarm for the engine with ids only, and one audit row', async () => {
  const org = await world().newOrg();
  const start = inHours(96);
  const { id } = await createWebinar(org, { start_time: start });
  await waitingWorkflow(org, id, anchored('w', 'start', -60));
  await newRegistrants(world(), org, id, 20);
  const { admin } = world();
  const versions = async () =>
    (await admin.query('select run_id, xmin::text from waits where clock_id = $1 order by 1', [id])).rows;
  const before = await versions();
  await admin.query('delete from outbox where org_id = $1', [org.id]);
  await reschedule(org, id, plus(start, -days(1)));
  expect(await versions()).toEqual(before);
  const { rows: told } = await admin.query('select service, handler, payload from outbox where org_id = $1', [
    org.id,
  ]);
  expect(told).toEqual([
    {
      service: 'WaitClock',
      handler: 'ring',
      payload: { org_id: org.id, clock_id: id, at: plus(start, -days(1) - minutes(60)) },
    },
  ]);
  const { rows: audited } = await admin.query(
    `select actor_id, ids from audit_log where org_id = $1 and operation = 'reschedule_webinar'`,
    [org.id],
  );
  expect(audited).toEqual([{ actor_id: org.keyId, ids: { webinar_id: id } }]);
});

test('TEN-003 a webinar of another organization is not found, and neither it nor its waits move', async () => {
  const [mine, theirs] = [await world().newOrg(), await world().newOrg()];
  const { id } = await createWebinar(theirs);
  await waitingWorkflow(theirs, id, anchored('w', 'start', -60));
  await newRegistrants(world(), theirs, id, 1);
  const before = await contentsOf(world().admin, theirs);
  const sent = { webinar_id: id, start_time: '2031-05-02T10:00:00Z' };
  const refused = { status: 404, code: 'not_found' };
  expect((await mine.rest('POST /v1/webinars/reschedule', sent)).body).toMatchObject(refused);
  expect((await mine.tool('reschedule_webinar', sent)).body).toMatchObject(refused);
  const nobodys = await mine.rest('POST /v1/webinars/reschedule', { ...sent, webinar_id: randomUUID() });
  expect(nobodys.body).toMatchObject(refused);
  expect(await contentsOf(world().admin, theirs)).toEqual(before);
});

test('TEN-003 a stranger who guesses an id waits for nobody and holds nobody up', async () => {
  const [mine, theirs] = [await world().newOrg(), await world().newOrg()];
  const { id } = await createWebinar(theirs);
  const { admin } = world();
  await admin.query('select pg_advisory_lock_shared(hashtextextended($1, 0))', [id]);
  try {
    const sent = { webinar_id: id, start_time: '2031-05-02T10:00:00Z' };
    expect((await mine.rest('POST /v1/webinars/reschedule', sent)).status).toBe(404);
  } finally {
    await admin.query('select pg_advisory_unlock_shared(hashtextextended($1, 0))', [id]);
  }
});

test('a canceled webinar is not moved', async () => {
  const org = await world().newOrg();
  const { id, start_time } = await createWebinar(org);
  expect((await org.rest(`POST /v1/webinars/${id}/cancel`, {})).status).toBe(200);
  const sent = { webinar_id: id, start_time: '2031-05-02T10:00:00Z' };
  const refused = { status: 409, code: 'webinar_canceled' };
  expect((await org.rest('POST /v1/webinars/reschedule', sent)).body).toMatchObject(refused);
  expect((await org.tool('reschedule_webinar', sent)).body).toMatchObject(refused);
  expect((await readWebinar(org, id)).start_time).toBe(start_time);
});

test('a scheduled broadcast keeps its send time when its webinar is rescheduled, and says so; a plan gets stale', async () => {
  const org = await world().newOrg();
  const start = inHours(48);
  const { id: webinar_id } = await createWebinar(org, { start_time: start });
  const timed = { audience: 'webinar', webinar_id, webinar_offset_minutes: 60 };
  const scheduled = await readyDraft(world(), org, timed);
  const planned = await plan(org, scheduled.id, null);
  await org.rest(`POST /v1/broadcasts/${scheduled.id}/schedule`, { plan_token: planned.plan_token });
  const draft = await readyDraft(world(), org, timed);
  const { plan_token } = await plan(org, draft.id, null);

  await reschedule(org, webinar_id, plus(start, days(1)));
  const { body } = await org.rest(`GET /v1/broadcasts/${scheduled.id}`);
  expect(body.broadcast.timing).toMatchObject({ send_at: plus(start, -minutes(60)), webinar_moved: true });
  const stale = await org.rest(`POST /v1/broadcasts/${draft.id}/schedule`, { plan_token });
  expect([stale.status, stale.body.code]).toEqual([409, 'plan_stale']);
  await reschedule(org, webinar_id, start);
  expect((await org.rest(`GET /v1/broadcasts/${scheduled.id}`)).body.broadcast.timing.webinar_moved).toBe(
    false,
  );
});

test('what a move puts into the past takes the way for it; what was late before a postponement does not', async () => {
  const org = await world().newOrg();
  const start = inHours(96);
  const sooner = await createWebinar(org, { start_time: start });
  const later = await createWebinar(org, { start_time: start });
  await waitingWorkflow(org, null, anchored('w', 'start', -120));
  await newRegistrants(world(), org, sooner.id, 1);
  await newRegistrants(world(), org, later.id, 1);
  // Two hours before the new start was an hour ago.
  const now = plus(start, -days(1));
  await goTo(world(), org, now, sooner.id);
  await reschedule(org, sooner.id, plus(now, minutes(60)));
  await goTo(world(), org, plus(now, minutes(1)), sooner.id);
  const [put] = await pathsOf(world(), sooner.id);
  expect(stepAt(put!.path, 'w')?.did).toBe('past');

  // Due at 22:00 and not yet released at 23:00, when it is put off by half an hour.
  const { status } = await org.rest('POST /v1/test-clock', { now: plus(start, -minutes(60)) });
  expect(status).toBe(200);
  expect(await reschedule(org, later.id, plus(start, minutes(30)))).toBe(1);
  await goTo(world(), org, plus(start, -minutes(59)), later.id);
  const [late] = await pathsOf(world(), later.id);
  expect(stepAt(late!.path, 'w')).toEqual({ node: 'w', at: plus(start, -minutes(90)), did: 'waited' });
});
