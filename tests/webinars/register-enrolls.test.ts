import { expect, test } from 'vitest';
import { registerForWebinar } from '../../src/domain/webinars/registrations/register-for-webinar.ts';
import { setWebinar } from '../support/broadcast.ts';
import { waysTo } from '../support/call-operation.ts';
import { lockWaits } from '../support/lock-waits.ts';
import { arrangeWorkflow, createWebinar, registerFor, runsOf, timelineOf } from '../support/webinar.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const ways = waysTo(registerForWebinar);
const user = { email: 'ann@example.com' };
const onAny = { type: 'webinar_registration', webinar_id: null } as const;
const onWebinar = (webinar_id: string) => ({ type: 'webinar_registration', webinar_id }) as const;

test('WFL-001 WFL-002 WFL-003 REG-040 a registration begins a run in every live workflow bound to this or to any webinar', async () => {
  for (const way of ways) {
    const org = await world().newOrg();
    const { id: webinar_id } = await createWebinar(org);
    const bound = [
      await arrangeWorkflow(world(), org, onWebinar(webinar_id)),
      await arrangeWorkflow(world(), org, onWebinar(webinar_id)),
      await arrangeWorkflow(world(), org, onAny),
      await arrangeWorkflow(world(), org, onAny),
    ];
    const { body } = await way.call(org, { webinar_id, user });
    const { registration_id, org_user_id } = body as Record<string, string>;
    const runs = await runsOf(world(), org);
    expect(new Set(runs.map(({ workflow_id }) => workflow_id))).toEqual(new Set(bound));
    expect(runs).toHaveLength(bound.length);
    for (const run of runs) {
      expect(run).toMatchObject({ person_id: org_user_id, webinar_id, registration_id, version: 1 });
    }
    // Each stands at its trigger, and the webinar's clock is told to ring for them.
    const { rows } = await world().admin.query(
      `select w.node, w.due_at <= c.next_at as rings from waits w join wait_clocks c on c.org_id = w.org_id and c.id = w.clock_id
       where w.org_id = $1 and w.clock_id = $2`,
      [org.id, webinar_id],
    );
    expect(rows).toEqual(bound.map(() => ({ node: 'trigger', rings: true })));
  }
});

test('WFL-004 WFL-005 a workflow bound to another webinar, or not live, enrolls nobody', async () => {
  const org = await world().newOrg();
  const webinar = await createWebinar(org);
  const other = await createWebinar(org);
  await arrangeWorkflow(world(), org, onWebinar(other.id));
  await arrangeWorkflow(world(), org, onAny, 'draft');
  await arrangeWorkflow(world(), org, onAny, 'paused');
  await arrangeWorkflow(world(), org, onWebinar(webinar.id), 'paused');
  await arrangeWorkflow(world(), org, { type: 'event', event_name: '$svc_webinar_registration' }, 'paused');
  await registerFor(org, webinar.id, user);
  expect(await runsOf(world(), org)).toEqual([]);
});

test("TEN-020 another organization's workflows are not begun, whichever webinars they are bound to", async () => {
  const org = await world().newOrg();
  const other = await world().newOrg();
  const webinar = await createWebinar(org);
  await arrangeWorkflow(world(), other, onAny);
  await arrangeWorkflow(world(), other, onWebinar(webinar.id));
  await arrangeWorkflow(world(), other, { type: 'event', event_name: '$svc_webinar_registration' });
  const mine = await arrangeWorkflow(world(), org, onAny);
  await registerFor(org, webinar.id, user);
  expect(await runsOf(world(), other)).toEqual([]);
  expect(await runsOf(world(), org)).toMatchObject([{ workflow_id: mine }]);
});

test('EVT-008 the event begins the live workflows that listen for it, once for each registration', async () => {
  const org = await world().newOrg();
  const listening = await arrangeWorkflow(world(), org, {
    type: 'event',
    event_name: '$svc_webinar_registration',
  });
  await arrangeWorkflow(world(), org, { type: 'event', event_name: '$svc_webinar_attendance' });
  const webinars = [await createWebinar(org), await createWebinar(org)];
  for (const { id } of [...webinars, ...webinars]) await registerFor(org, id, user);
  const runs = await runsOf(world(), org);
  expect(runs.map(({ workflow_id, webinar_id }) => ({ workflow_id, webinar_id }))).toEqual(
    webinars.map(({ id }) => ({ workflow_id: listening, webinar_id: id })),
  );
});

test('EVT-001 EVT-002 EVT-003 EVT-004 EVT-005 EVT-006 EVT-007 REG-040 a new registration records its event, as the webinar is', async () => {
  for (const way of ways) {
    const org = await world().newOrg();
    const webinar = await createWebinar(org, {
      title: 'Ünïcode “title”',
      start_time: '2030-05-01T18:00:00+05:30',
      join_url: 'https://example.com/j/1',
    });
    const { body } = await way.call(org, { webinar_id: webinar.id, user });
    const { registration_id, org_user_id } = body as Record<string, string>;
    expect(await timelineOf(org, org_user_id!)).toEqual([
      {
        id: expect.any(String),
        event_name: '$svc_webinar_registration',
        custom_properties: {
          webinar_id: webinar.id,
          webinar_title: 'Ünïcode “title”',
          webinar_start_time: '2030-05-01T12:30:00.000Z',
          webinar_join_url: 'https://example.com/j/1',
          registration_id,
        },
        occurred_at: expect.stringMatching(/Z$/),
        created_at: expect.stringMatching(/Z$/),
      },
    ]);
  }
});

test('EVT-006 webinar_join_url is a string also where there is no link', async () => {
  const org = await world().newOrg();
  const { id } = await createWebinar(org);
  const { org_user_id } = await registerFor(org, id, user);
  const [event] = await timelineOf(org, org_user_id);
  expect(event.custom_properties.webinar_join_url).toBe('');
});

test('a registration that waits for a cancellation is refused by it: no run begins for a canceled webinar', async () => {
  const { admin } = world();
  const org = await world().newOrg();
  await arrangeWorkflow(world(), org, onAny);
  const { id } = await createWebinar(org);
  await admin.query('begin');
  await admin.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [id]);
  await setWebinar(world(), id, { status: 'canceled', canceled_at: new Date() });
  const waiting = org.rest('POST /v1/webinars/register', { webinar_id: id, user });
  await expect.poll(() => lockWaits(admin)).toBeGreaterThan(0);
  await admin.query('commit');
  expect((await waiting).body).toMatchObject({ status: 409, code: 'webinar_canceled' });
  expect(await runsOf(world(), org)).toEqual([]);
});
