import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { inHours } from '../support/broadcast.ts';
import { createWebinar, registerFor } from '../support/webinar.ts';
import { useWorld } from '../support/world.ts';
import { isLong } from '../support/volume.ts';
import {
  anchored,
  days,
  goTo,
  minutes,
  newRegistrants,
  pathsOf,
  plus,
  readWebinar,
  reschedule,
  ringClock,
  setTo,
  stepAt,
  waitingWorkflow,
  waitsOf,
} from './waiting.ts';

const world = useWorld();
const rounds = isLong ? 5 : 2;
const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test('ten reschedules at once follow each other: the last one holds, and the clock is set by it', async () => {
  const org = await world().newOrg();
  const start = inHours(200);
  const { id } = await createWebinar(org, { start_time: start });
  await waitingWorkflow(org, id, anchored('w', 'start', -60));
  await newRegistrants(world(), org, id, 3);
  for (const round of times(rounds)) {
    const wanted = times(10).map((index) => plus(start, days(index + 1) + minutes(round)));
    const answers = await Promise.all(wanted.map((start_time) => reschedule(org, id, start_time)));
    expect(answers).toEqual(wanted.map(() => 3));
    const { start_time } = await readWebinar(org, id);
    expect(wanted).toContain(start_time);
    expect(await setTo(world(), id)).toBe(plus(start_time, -minutes(60)));
    // The last of them, by the order in which they were committed, told the engine last.
    const { rows } = await world().admin.query<{ at: string }>(
      `select payload ->> 'at' as at from outbox where org_id = $1 and service = 'WaitClock' order by id desc limit 1`,
      [org.id],
    );
    expect(rows[0]?.at).toBe(plus(start_time, -minutes(60)));
  }
  const { rows } = await world().admin.query('select revision from webinars where id = $1', [id]);
  expect(Number(rows[0].revision)).toBe(1 + 10 * rounds);
});

test('whoever reads while a webinar moves sees it before or after, never between', async () => {
  const org = await world().newOrg();
  const start = inHours(200);
  const { id } = await createWebinar(org, { start_time: start, duration_minutes: 30 });
  await waitingWorkflow(org, id, anchored('first', 'start', -60));
  await waitingWorkflow(org, id, anchored('last', 'end', 0));
  await newRegistrants(world(), org, id, 2);
  let done = false;
  const sent = [start];
  const writing = (async () => {
    try {
      for (const index of times(8 * rounds)) {
        const to = plus(start, minutes(index + 1));
        sent.push(to);
        await reschedule(org, id, to);
      }
    } finally {
      done = true; // whoever reads would go on for ever
    }
  })();
  const reading = times(4).map(async () => {
    let seen = 0;
    while (!done) {
      const { body } = await org.rest(`POST /v1/webinars/${id}/reschedule-preview`, { start_time: start });
      const { from } = body.start_time;
      expect(sent).toContain(from);
      expect(body.waits.map((wait: { from: string }) => wait.from)).toEqual([
        plus(from, -minutes(60)),
        plus(from, minutes(30)),
      ]);
      const { body: page } = await org.rest('GET /v1/webinars');
      expect(sent).toContain(page.webinars[0].start_time);
      seen++;
    }
    return seen;
  });
  const [, ...seen] = await Promise.all([writing, ...reading]);
  expect(Math.min(...seen)).toBeGreaterThan(0);
});

test('whoever registers while a webinar moves is reminded by the time it ends up with', async () => {
  const org = await world().newOrg();
  const start = inHours(200);
  const { id } = await createWebinar(org, { start_time: start });
  await waitingWorkflow(org, id, anchored('w', 'start', -60));
  const registering = times(40).map(async () => {
    await registerFor(org, id, { email: `${randomUUID()}@example.com` });
  });
  const moving = times(10).map((index) => reschedule(org, id, plus(start, -days(index / 4))));
  const ringing = times(4).map(async () => {
    for (const _ of times(5)) await ringClock(world(), org, id);
  });
  await Promise.all([...registering, ...moving, ...ringing]);
  await ringClock(world(), org, id);
  const { start_time } = await readWebinar(org, id);
  const waits = await waitsOf(world(), id);
  expect(waits.map(({ node, due }) => [node, due])).toEqual(
    times(40).map(() => ['w', plus(start_time, -minutes(60))]),
  );
  expect(await setTo(world(), id)).toBe(plus(start_time, -minutes(60)));
});

test('a move in the middle of a release is exact: each run left by the time that held when it did, once', async () => {
  const org = await world().newOrg();
  const start = inHours(48);
  const { id } = await createWebinar(org, { start_time: start });
  await waitingWorkflow(org, id, anchored('w', 'start', -60));
  await newRegistrants(world(), org, id, 1);
  // So many that a release takes several parts.
  await world().admin.query(
    `with people as (
       insert into people (org_id, id, created_at, updated_at) select $1, gen_random_uuid(), now(), now()
       from generate_series(1, 3000) returning id
     ), runs as (
       insert into workflow_runs (org_id, id, workflow_id, version, person_id, webinar_id, started_at)
       select $1, gen_random_uuid(), w.workflow_id, w.version, p.id, $2, now()
       from people p, (select workflow_id, version from waits where clock_id = $2 limit 1) w
       returning id, person_id, workflow_id, version
     )
     insert into waits (org_id, run_id, clock_id, person_id, workflow_id, version, node, anchor, offset_ms, began_at)
     select $1, id, $2, person_id, workflow_id, version, 'w', 'start', -3600000, now() from runs`,
    [org.id, id],
  );
  const due = plus(start, -minutes(60));
  const moved = plus(start, days(1));
  const { status } = await org.rest('POST /v1/test-clock', { now: due });
  expect(status).toBe(200);
  // Somebody changes one of them all the while, so that the release is not over before it moves.
  const { admin } = world();
  await admin.query('begin');
  await admin.query(
    `select 1 from people where id = (select person_id from waits where clock_id = $1 order by run_id desc limit 1)
     for update`,
    [id],
  );
  const [, recomputed] = await Promise.all([
    ringClock(world(), org, id),
    (async () => {
      const left = async () => (await waitsOf(world(), id)).length;
      while ((await left()) === 3001) await new Promise((resolve) => setTimeout(resolve, 5));
      const count = await reschedule(org, id, moved);
      await admin.query('commit');
      return count;
    })(),
  ]);
  const paths = await pathsOf(world(), id);
  const gone = paths.filter(({ state }) => state === 'ended');
  expect(gone.length).toBeGreaterThan(0);
  expect(gone.length).toBeLessThan(3001);
  expect(recomputed).toBe(3001 - gone.length);
  expect(new Set(gone.map(({ path }) => stepAt(path, 'w')?.at))).toEqual(new Set([due]));
  const waiting = await waitsOf(world(), id);
  expect(new Set(waiting.map((wait) => wait.due))).toEqual(new Set([plus(moved, -minutes(60))]));
  expect(waiting).toHaveLength(recomputed);
  expect(await setTo(world(), id)).toBe(plus(moved, -minutes(60)));

  await goTo(world(), org, plus(moved, -minutes(60)), id);
  const all = await pathsOf(world(), id);
  expect(all.every(({ state, path }) => state === 'ended' && path.length === 2)).toBe(true);
  expect(all.filter(({ path }) => stepAt(path, 'w')?.at === plus(moved, -minutes(60)))).toHaveLength(
    recomputed,
  );
});
