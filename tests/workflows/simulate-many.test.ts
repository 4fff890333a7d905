import { afterAll, beforeAll, expect, test } from 'vitest';
import { measured } from '../support/measured.ts';

import { newSendingOrg } from '../support/reader-rows.ts';
import type { TestOrg } from '../support/test-org.ts';
import { newWorkflow, onRegistration } from '../support/workflow.ts';
import { useWorld } from '../support/world.ts';
import { webinarIn } from './course.ts';
import { watchedApi, type WatchedApi } from './watched-api.ts';

const world = useWorld();
const registrants = 10_000;
const mostWaits = 100;
const start_at = new Date().toISOString();
// Some 60 megabytes and 30 milliseconds were measured; what kept every step took all memory there was.
const mostGrownMb = 100;
const mostBusyMs = 75;
const letters = 'abcdefghijklmn'.split('');
let org: TestOrg;
let webinar_id: string;
let api: WatchedApi;

beforeAll(async () => {
  org = await newSendingOrg(world());
  await org.rest('PUT /v1/sms-number', { number: '+15550001111' });
  webinar_id = (await webinarIn(org, 48)).id;
  // Everybody's name has other letters, so that questions about letters tell all of them apart.
  const letter = letters.map((name, bit) => `case when n & ${2 ** bit} > 0 then '${name}' else '' end`);
  await world().admin.query(
    `with made as (
       insert into people (org_id, id, first_name, created_at, updated_at)
       select $1, gen_random_uuid(), 'x' || ${letter.join(' || ')}, now(), now()
       from generate_series(1, $3::int) n returning id)
     insert into registrations (org_id, id, webinar_id, person_id, registered_at)
     select $1, gen_random_uuid(), $2, id, now() from made`,
    [org.id, webinar_id, registrants],
  );
  await world().admin.query('analyze people, registrations');
  api = await watchedApi(world(), org);
});
afterAll(() => api?.close());

/** So many nodes that lead round for ever: a wait of an hour, and texts. */
const round = (count: number) => [
  { id: 'hour', type: 'wait', duration_minutes: 60, next: 'text-1' },
  ...Array.from({ length: count - 1 }, (_, index) => ({
    id: `text-${index + 1}`,
    type: 'send_text',
    message_body: 'Hello',
    next: index + 2 < count ? `text-${index + 2}` : 'hour',
  })),
];

/** Each letter of a name leads another way, to the same node. */
const splits = letters.map((value, index) => {
  const next = index + 1 < letters.length ? `split-${letters[index + 1]}` : 'hour';
  const filters = [{ property: 'first_name', op: 'contains', value }];
  return { id: `split-${value}`, type: 'condition_split', filters, yes: next, no: next };
});

async function simulate(nodes: readonly { readonly id: string }[], fields: object = {}) {
  const { id } = await newWorkflow(org, { trigger: { ...onRegistration(), next: nodes[0]!.id }, nodes });
  const { answer, ...cost } = await api.cost((watched) =>
    watched.rest(`POST /v1/workflows/${id}/simulate`, { webinar_id, start_at, ...fields }),
  );
  expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
  expect(cost.grownMb).toBeLessThan(mostGrownMb);
  expect(cost.busyMs).toBeLessThan(mostBusyMs);
  return answer.body;
}

test(
  'ten thousand who go round together are simulated to the end, in little memory and in small bits',
  measured,
  async () => {
    const told = await simulate(round(97));
    expect(told).toMatchObject({ people: registrants, under_way: registrants, complete: true });
    const count = registrants * mostWaits;
    expect(told.messages).toHaveLength(96);
    for (const message of told.messages)
      expect(message).toMatchObject({
        people: count,
        reachable: 0,
        excluded: [{ reason: 'no_address', count }],
      });
  },
);

test('of ten thousand who all go their own ways the first are simulated', measured, async () => {
  const nodes = [...splits, ...round(97 - splits.length)];
  const told = await simulate(nodes);
  expect(told.complete).toBe(false);
  expect(told.people).toBeGreaterThan(0);
  expect(told.people).toBeLessThan(registrants);
  expect(told.under_way).toBe(told.people);
  for (const { people } of told.messages) expect(people).toBe(told.people * mostWaits);
});

test('one who goes round is told every step', measured, async () => {
  const person_id = await org.person({ email: 'round@example.com' });
  const { steps } = await simulate(round(97), { person_id });
  expect(steps).toHaveLength(97 * mostWaits);
});
