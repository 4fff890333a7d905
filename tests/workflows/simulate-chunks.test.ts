import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { LiveGraph } from '../../src/domain/workflows/graph/live-graph.ts';
import type { LiveNode } from '../../src/domain/workflows/nodes/index.ts';
import { simulatePeople, type Course } from '../../src/domain/workflows/runs/simulate-people.ts';
import { readTimes } from '../../src/domain/workflows/shape/times.ts';
import type { PersonId } from '../../src/kernel/ids.ts';
import { inService } from '../support/in-service.ts';

import { newSendingOrg } from '../support/reader-rows.ts';
import type { TestOrg } from '../support/test-org.ts';
import { triesOfService } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import { hour, webinarIn } from './course.ts';
import { simulateEachAlone } from './simulate-model.ts';

const world = useWorld();
const registrants = 30;
let org: TestOrg;
let webinar_id: string;
let people: PersonId[];

beforeAll(async () => {
  org = await newSendingOrg(world());
  webinar_id = (await webinarIn(org, 48)).id;
  // Names, addresses, refusals and attendance go different ways.
  const { rows } = await world().admin.query<{ person_id: PersonId }>(
    `with made as (
       insert into people (org_id, id, first_name, primary_email, created_at, updated_at)
       select $1, gen_random_uuid(), (array['a', 'b', 'ab', 'c', null])[1 + n % 5],
         case when n % 7 > 0 then n || '-' || $4 || '@example.com' end, now(), now()
       from generate_series(1, $3::int) n returning id, primary_email
     ), refused as (
       insert into opt_outs (org_id, person_id, email_opt_out, sms_opt_out, updated_at)
       select $1, id, true, true, now() from made where primary_email like '%3-%'
     )
     insert into registrations (org_id, id, webinar_id, person_id, registered_at, attended)
     select $1, gen_random_uuid(), $2, id, now(), row_number() over () % 3 = 0 from made returning person_id`,
    [org.id, webinar_id, registrants, randomUUID()],
  );
  people = rows.map(({ person_id }) => person_id).toSorted();
});

const names = Array.from({ length: 9 }, (_, index) => `n${index}`);
const hours = (count: number): number => count * hour;

const message = (channel: 'email' | 'sms'): LiveNode => ({
  type: 'send',
  message: {
    channel,
    subject: channel === 'email' ? 'Hello' : null,
    preview_text: null,
    html: null,
    message_body: null,
    body: null,
    variables: {},
    sender_id: null,
  },
  next: '',
});

/** Any node. Only waits lead back, so that nobody goes round without time going by. */
const nodeAt = (at: number): fc.Arbitrary<LiveNode> => {
  const onward = fc.constantFrom(...names.slice(at + 1), 'end');
  const anywhere = fc.constantFrom(...names, 'end');
  const anchored = fc.record({
    anchor: fc.constantFrom('start' as const, 'end' as const),
    offset_ms: fc.integer({ min: -60, max: 60 }).map(hours),
  });
  const filters = fc
    .constantFrom('a', 'b', 'c')
    .map((value) => [{ property: 'first_name', op: 'contains', value }]);
  return fc.oneof(
    fc.record({
      type: fc.constant('wait' as const),
      for: fc.integer({ min: 1, max: 2_000 }).map(hours),
      next: anywhere,
      past: anywhere,
    }),
    fc.record({ type: fc.constant('wait' as const), for: anchored, next: onward, past: onward }),
    fc.record({ type: fc.constant('attendance_split' as const), attended: onward, no_show: onward }),
    fc.record({ type: fc.constant('condition_split' as const), filters, yes: onward, no: onward }),
    fc
      .record({ channel: fc.constantFrom('email' as const, 'sms' as const), next: onward })
      .map(({ channel, next }) => ({ ...message(channel), next })),
    fc.record({
      type: fc.constant('set_property' as const),
      key: fc.constant('any'),
      value: fc.constant(1),
      next: onward,
    }),
  ) as fc.Arbitrary<LiveNode>;
};

const graphs: fc.Arbitrary<LiveGraph> = fc.tuple(...names.map((_, at) => nodeAt(at))).map((nodes) => ({
  trigger: { type: 'webinar_registration', webinar_id: null, next: 'n0' },
  nodes: { ...Object.fromEntries(nodes.map((node, at) => [names[at], node])), end: { type: 'end' } },
}));

const cases = fc.record({
  graph: graphs,
  attended: fc.constantFrom(undefined, true, false),
  startsIn: fc.integer({ min: -40, max: 80 }),
  peopleOfChunk: fc.integer({ min: 1, max: registrants }),
  waysOfPart: fc.integer({ min: 1, max: 8 }),
  mostPassed: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 2_000 })),
});

test('simulating in chunks, one for all who are alike, gives what walking with each alone gives', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ graph, attended, startsIn, ...bounds }) => {
      await inService(world(), org, async (work) => {
        const startAt = new Date(work.now.getTime() + hours(startsIn));
        const course: Course = {
          graph,
          times: await readTimes(work, webinar_id),
          question: { webinar_id, supposed: { attended } },
          startAt,
          limits: { until: new Date(startAt.getTime() + hours(2_000)), mostWaits: 12 },
        };
        const told = await simulatePeople(work, course, people, bounds);
        expect(told.people).toBeGreaterThanOrEqual(bounds.mostPassed === Infinity ? registrants : 1);
        const model = await simulateEachAlone(work, course, people.slice(0, told.people));
        expect(told.underWay).toBe(model.underWay);
        const byNode = told.messages.map(({ node, excluded, ...rest }) => [
          node,
          { ...rest, excluded: Object.fromEntries(excluded.map(({ reason, count }) => [reason, count])) },
        ]);
        expect(Object.fromEntries(byNode)).toEqual(model.messages);
        const times = told.messages.map(({ first_at }) => first_at);
        expect(times).toEqual(times.toSorted());
        const alone = await simulatePeople(work, course, people.slice(0, 1));
        expect(alone.steps).toEqual(model.steps.get(people[0]!));
      });
    }),
    triesOfService(300),
  );
});
