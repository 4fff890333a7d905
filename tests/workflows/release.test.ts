import { expect, test } from 'vitest';
import { releaseDue, type Part } from '../../src/domain/workflows/runs/release.ts';
import { inService } from '../support/in-service.ts';
import { moveClock } from '../support/sending.ts';
import type { TestOrg } from '../support/test-org.ts';
import { liveWorkflow } from '../support/workflow.ts';
import { useWorld } from '../support/world.ts';
import { deeds, end, hour, register, runsOf, webinarIn } from './course.ts';

const world = useWorld();
const minute = 60_000;

/** One release of a webinar's clock, as its alarm would ask for it. */
const release = async (org: TestOrg, webinar: string, some: { most?: number; from?: Date } = {}) =>
  (await inService(world(), org, (work) => releaseDue(work, webinar, { most: 100, ...some }))) as Part;

/** Releases until nothing is due any more. */
async function releaseAll(org: TestOrg, webinar: string): Promise<void> {
  for (let turn = 0; turn < 10; turn++) if ((await release(org, webinar)).due === 0) return;
  throw new Error('something stays due for ever');
}

const onRegistration = (next: string) => ({ type: 'webinar_registration', next });
const anchored = (id: string, offset_minutes: number, next: string, anchor = 'start') => ({
  id,
  type: 'wait',
  anchor,
  offset_minutes,
  next,
  past: 'missed',
});
const missed = { id: 'missed', type: 'end' };
const waiting = (org: TestOrg, nodes: readonly Record<string, unknown>[]) =>
  liveWorkflow(org, { trigger: onRegistration('wait'), nodes: [...nodes, end] });

async function newWebinar() {
  const org = await world().newOrg();
  const webinar = await webinarIn(org, 48);
  return { org, webinar: webinar.id as string, start: Date.parse(webinar.start_time) };
}

test('waits that end at one moment are each waited for, one after the other, and none is past', async () => {
  const { org, webinar, start } = await newWebinar();
  const workflow = await liveWorkflow(org, {
    trigger: onRegistration('a'),
    nodes: [
      anchored('a', -60, 'b'),
      anchored('b', -60, 'c'),
      // The webinar takes an hour.
      anchored('c', 60, 'd'),
      anchored('d', 0, 'end', 'end'),
      end,
      missed,
    ],
  });
  await register(org, webinar);
  await releaseAll(org, webinar);
  await moveClock(org, start + 2 * hour);
  await releaseAll(org, webinar);
  const [run] = await runsOf(world(), workflow);
  expect(deeds(run)).toEqual(['a waited', 'b waited', 'c waited', 'd waited', 'end ended']);
  expect(run.path.map((step: { at: string }) => Date.parse(step.at))).toEqual([
    start - hour,
    start - hour,
    start + hour,
    start + hour,
    start + hour,
  ]);
});

test.each([
  ['moved just before its moment', 'webinars', 'moved_at', -1, 'waited'],
  ['moved at its very moment', 'webinars', 'moved_at', 0, 'waited'],
  ['moved just after its moment', 'webinars', 'moved_at', 1, 'past'],
  ['resumed just before its moment', 'workflows', 'resumed_at', -1, 'waited'],
  ['resumed at its very moment', 'workflows', 'resumed_at', 0, 'waited'],
  ['resumed just after its moment', 'workflows', 'resumed_at', 1, 'past'],
] as const)('a wait that was %s', async (_, table, column, later, did) => {
  const { org, webinar, start } = await newWebinar();
  const workflow = await waiting(org, [anchored('wait', -60, 'end'), missed]);
  await register(org, webinar);
  await releaseAll(org, webinar);
  const due = start - hour;
  await world().admin.query(`update ${table} set ${column} = $2 where org_id = $1`, [
    org.id,
    new Date(due + later),
  ]);
  await moveClock(org, start);
  await releaseAll(org, webinar);
  const [run] = await runsOf(world(), workflow);
  expect(deeds(run)).toEqual([`wait ${did}`, did === 'past' ? 'missed ended' : 'end ended']);
  expect(Date.parse(run.path[0].at)).toBe(due + (did === 'past' ? later : 0));
});

test.each([
  { kind: 'a moment of the webinar', nodes: [anchored('wait', -60, 'end'), missed] },
  { kind: 'a while', nodes: [{ id: 'wait', type: 'wait', duration_minutes: 10, next: 'end' }] },
])(
  'a release that goes on from a moment also takes those who are due at that very moment, waiting for $kind',
  async ({ nodes }) => {
    const { org, webinar, start } = await newWebinar();
    const workflow = await waiting(org, nodes);
    for (let one = 0; one < 3; one++) await register(org, webinar);
    await releaseAll(org, webinar);
    const due = new Date(start - hour);
    await world().admin.query('update waits set due_at = $2 where org_id = $1 and anchor is null', [
      org.id,
      due,
    ]);
    await moveClock(org, start);
    const first = await release(org, webinar, { most: 2 });
    expect(first).toEqual({ due: 2, released: 2, reached: due });
    expect(await release(org, webinar, { most: 2, from: due })).toMatchObject({ due: 1 });
    expect((await runsOf(world(), workflow)).map(({ state }) => state)).toEqual(['ended', 'ended', 'ended']);
  },
);

const kinds = [
  {
    kind: 'a moment of the webinar',
    held: [anchored('wait', -120, 'end'), missed],
    other: [anchored('wait', -60, 'end'), missed],
  },
  {
    kind: 'a while',
    held: [{ id: 'wait', type: 'wait', duration_minutes: 10, next: 'end' }],
    other: [{ id: 'wait', type: 'wait', duration_minutes: 20, next: 'end' }],
  },
];

test.each(kinds)(
  'what a pause holds back is not found again, and takes no place of others: those who wait for $kind',
  async ({ held, other }) => {
    const { org, webinar, start } = await newWebinar();
    const [paused, live] = [await waiting(org, held), await waiting(org, other)];
    await register(org, webinar);
    await releaseAll(org, webinar);
    expect((await org.rest(`POST /v1/workflows/${paused}/pause`, {})).status).toBe(200);
    await moveClock(org, start - 30 * minute);
    // The paused one is due first, and held back. The next place is the other's, and then nothing is due.
    expect(await release(org, webinar, { most: 1 })).toMatchObject({ due: 1, released: 1 });
    expect((await runsOf(world(), paused))[0]).toMatchObject({ node: 'wait', held: true });
    expect(await release(org, webinar, { most: 1 })).toMatchObject({ due: 1, released: 1 });
    expect(deeds((await runsOf(world(), live))[0])).toEqual(['wait waited', 'end ended']);
    expect(await release(org, webinar)).toMatchObject({ due: 0, released: 0 });
    expect((await runsOf(world(), paused))[0]).toMatchObject({ node: 'wait', held: true, state: 'running' });
  },
);
