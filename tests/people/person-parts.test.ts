import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { arrangeWorkflow } from '../support/webinar.ts';
import { unroundedScore } from '../support/engagement.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const day = 86_400_000;

test('the segments of a person are those that list them as a member', async () => {
  const org = await world().newOrg();
  const grace = await org.person({ email: 'grace@example.com', first_name: 'Grace' });
  const nobody = await org.person({ phone: '+46705550100' });
  const names = Array.from({ length: 30 }, (_, n) => `Segment ${n}`);
  for (const [n, name] of names.entries())
    await org.rest('POST /v1/segments', {
      name,
      filters: [{ property: 'first_name', op: n % 2 === 0 ? 'eq' : 'neq', value: 'Grace' }],
    });
  const { segments } = (await org.tool('list_segments')).body;
  for (const person_id of [grace, nobody]) {
    const expected: string[] = [];
    for (const { id, name } of segments) {
      const { body } = await org.rest(`GET /v1/segments/${id}/members`);
      if (body.people.some((one: { id: string }) => one.id === person_id)) expected.push(name);
    }
    const { body } = await org.rest(`GET /v1/people/${person_id}/segments`);
    expect(body.segments.map(({ name }: { name: string }) => name).toSorted()).toEqual(expected.toSorted());
  }
});

test('a score is explained by what was opened, clicked and answered, and by what is no longer kept', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'ada@example.com' });
  const empty = await org.rest(`GET /v1/people/${person_id}/engagement`);
  expect(empty.body).toMatchObject({ score: null, parts: [], together: 0, earlier: 0 });
  const { body: drafted } = await org.rest('POST /v1/broadcasts', { broadcast: { name: 'News' } });
  const now = world().clock.now().getTime();
  const at = (days: number): Date => new Date(now - days * day);
  await world().admin.query(
    `insert into deliveries (org_id, broadcast_id, person_id, occasion, due_at, state, opened_at, clicked_at, replied_at)
     select $1, $2, $3, n, now(), 'sent', opened, clicked, replied
     from (values (1, $4::timestamptz, $4::timestamptz, null::timestamptz), (2, $5, null, $5), (3, null, null, null))
       d(n, opened, clicked, replied)`,
    [org.id, drafted.broadcast?.id ?? randomUUID(), person_id, at(30), at(90)],
  );
  // As they were written: open and click 30 days ago, open and reply 90 days ago, and 16 of a message that is gone.
  const raw = 5 / 2 + 9 / 8 + 16;
  await world().admin.query('update people set engagement = $1 where id = $2', [
    Math.log2(raw) + now / (30 * day),
    person_id,
  ]);
  const { body } = await org.rest(`GET /v1/people/${person_id}/engagement`);
  expect(body.parts).toMatchObject([
    { action: 'reply', times: 1, worth_then: 8, worth_now: 1 },
    { action: 'click', times: 1, worth_then: 4, worth_now: 2 },
    { action: 'open', times: 2, worth_then: 2, worth_now: 0.6 },
  ]);
  expect(body).toMatchObject({
    score: Math.round(unroundedScore(raw)),
    together: 19.6,
    earlier: 16,
    worth_of_fifty: 8,
    half_life_days: 30,
    next: { score: Math.round(unroundedScore(raw / 2)) },
  });
});

test("a person's workflow runs are told with the workflow's name, the latest first", async () => {
  const org = await world().newOrg();
  const workflow_id = await arrangeWorkflow(world(), org, { type: 'event', event_name: 'demo' });
  const person_id = await org.person({ email: 'ada@example.com' });
  const other = await org.person({ email: 'grace@example.com' });
  for (const email of ['ada@example.com', 'grace@example.com'])
    await org.rest('POST /v1/events', { event_name: 'demo', email });
  const { status, body } = await org.rest(`GET /v1/people/${person_id}/runs`);
  expect([status, body.total]).toEqual([200, 1]);
  expect(body.runs).toMatchObject([{ workflow_id, workflow_name: 'Arranged', person_id }]);
  expect((await org.rest(`GET /v1/people/${other}/runs`)).body.total).toBe(1);
});

test('how engaged the people of a page are is told at once, as each record tells it', async () => {
  const org = await world().newOrg();
  const [ada, grace] = [
    await org.person({ email: 'ada@example.com' }),
    await org.person({ email: 'g@example.com' }),
  ];
  await world().admin.query(
    "update people set health_band = 'healthy', engagement = $2, last_opened_at = now() where id = $1",
    [ada, Math.log2(8) + world().clock.now().getTime() / (30 * day)],
  );
  const { status, body } = await org.rest('POST /v1/people/engagement', { person_ids: [ada, grace] });
  expect([status, body.people.length]).toEqual([200, 2]);
  for (const { person_id, ...told } of body.people)
    expect((await org.rest(`GET /v1/people/${person_id}`)).body.person).toMatchObject(told);
  expect((await org.rest('POST /v1/people/engagement', { person_ids: [ada, randomUUID()] })).status).toBe(
    404,
  );
});
