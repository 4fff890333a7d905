import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { reportAttendance } from '../../src/domain/webinars/registrations/report-attendance.ts';
import { inHours } from '../support/broadcast.ts';
import { waysTo } from '../support/call-operation.ts';
import { contentsOf } from '../support/org-contents.ts';
import type { TestOrg } from '../support/test-org.ts';
import { arrangeWorkflow, createWebinar, registerFor, runsOf, timelineOf } from '../support/webinar.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const ways = waysTo(reportAttendance);
const email = 'ann@example.com';
const user_id = 'customer-1';

async function registered(org: TestOrg, fields = {}) {
  const { id: webinar_id } = await createWebinar(org, fields);
  const { registration_id, org_user_id } = await registerFor(org, webinar_id, { email, user_id });
  return { webinar_id, registration_id, org_user_id };
}

/** What the record says: whether attended, and who said so. */
async function recorded(org: TestOrg, webinar_id: string) {
  const { body } = await org.rest(`GET /v1/webinars/${webinar_id}/registrations`);
  const { attended, attendance_source } = body.registrations[0];
  return [attended, attendance_source];
}

const refuses = async (org: TestOrg, input: Record<string, unknown>, status: number, code: string) => {
  const before = await contentsOf(world().admin, org);
  for (const way of ways) {
    expect({ way: way.name, input, ...(await way.call(org, input)) }).toMatchObject({
      status,
      body: { code },
    });
  }
  expect(await contentsOf(world().admin, org)).toEqual(before);
};

test.each([
  ['ATT-003', { email: ' Ann@EXAMPLE.com ' }],
  ['ATT-004', { user_id }],
])('ATT-002 ATT-006 %s a report by %j finds the person and records them as attended', async (_, who) => {
  for (const way of ways) {
    const org = await world().newOrg();
    const { webinar_id, registration_id, org_user_id } = await registered(org);
    expect(await recorded(org, webinar_id)).toEqual([false, null]);
    const { status, body } = await way.call(org, { webinar_id, ...who });
    expect({ way: way.name, status, body }).toEqual({
      way: way.name,
      status: 200,
      body: {
        success: true,
        registration_id,
        org_user_id,
        attended: true,
        previous_attended: false,
        source: 'api',
      },
    });
    expect(await recorded(org, webinar_id)).toEqual([true, 'api']);
  }
});

test('ATT-007 ATT-008 ATT-012 true and false are recorded, and a later report replaces an earlier one', async () => {
  for (const way of ways) {
    const org = await world().newOrg();
    const { webinar_id } = await registered(org);
    let previous_attended = false;
    for (const attended of [false, true, false, true]) {
      const { body } = await way.call(org, { webinar_id, email, attended });
      expect(body).toMatchObject({ attended, previous_attended });
      expect(await recorded(org, webinar_id)).toEqual([attended, 'api']);
      previous_attended = attended;
    }
  }
});

test('ATT-002 ATT-005 ATT-009 what is missing or malformed is refused', async () => {
  const org = await world().newOrg();
  const { webinar_id } = await registered(org);
  for (const input of [
    { webinar_id },
    { webinar_id, attended: true },
    { email },
    { webinar_id: 'it', email },
    { webinar_id, email: 'ann' },
    { webinar_id, email, attended: 'true' },
    { webinar_id, email, attended: 1 },
    { webinar_id, email, attended: null },
    { webinar_id, user_id: '' },
    { webinar_id, phone: '+15550100' },
    { webinar_id, email, registration_id: randomUUID() },
  ]) {
    await refuses(org, input, 400, 'invalid_request');
  }
  expect(await recorded(org, webinar_id)).toEqual([false, null]);
});

test('ATT-010 ATT-011 attendance may be reported while the webinar runs and after it has ended', async () => {
  const org = await world().newOrg();
  for (const [start_time, phase] of [
    [inHours(-0.5), 'live'],
    [inHours(-48), 'ended'],
  ] as const) {
    const { webinar_id } = await registered(org, { start_time });
    expect((await org.rest(`GET /v1/webinars/${webinar_id}`)).body.webinar.phase).toBe(phase);
    for (const way of ways) {
      expect((await way.call(org, { webinar_id, email })).status).toBe(200);
      expect(await recorded(org, webinar_id)).toEqual([true, 'api']);
    }
  }
});

test('ATT-014 a report for one webinar leaves the same person’s attendance of another alone', async () => {
  const org = await world().newOrg();
  const one = await registered(org);
  const other = await registered(org);
  await org.rest('POST /v1/webinars/attendance', { webinar_id: one.webinar_id, email });
  expect(await recorded(org, one.webinar_id)).toEqual([true, 'api']);
  expect(await recorded(org, other.webinar_id)).toEqual([false, null]);
});

test('TEN-002 a webinar of another organization is not found, and no attendance is recorded', async () => {
  const org = await world().newOrg();
  const stranger = await world().newOrg();
  const { webinar_id } = await registered(stranger);
  await registered(org);
  const before = await contentsOf(world().admin, stranger);
  for (const asked of [webinar_id, randomUUID()]) {
    await refuses(org, { webinar_id: asked, email }, 404, 'not_found');
  }
  expect(await contentsOf(world().admin, stranger)).toEqual(before);
});

test('somebody who is not registered, known or not, is answered registration_not_found and nobody is created', async () => {
  const org = await world().newOrg();
  const { webinar_id } = await registered(org);
  await org.person({ email: 'ben@example.com' });
  for (const who of [{ email: 'ben@example.com' }, { email: 'nobody@example.com' }, { user_id: 'nobody' }]) {
    await refuses(org, { webinar_id, ...who }, 404, 'registration_not_found');
  }
  // user_id decides: the one it means is not registered, though the one the email means is.
  await org.person({ external_user_id: 'customer-2' });
  await refuses(org, { webinar_id, user_id: 'customer-2', email }, 404, 'registration_not_found');
  const answer = await org.rest('POST /v1/webinars/attendance', { webinar_id, user_id: 'customer-3', email });
  expect(answer.status).toBe(200);
});

test('what changed is told on the timeline once, and workflows that listen for it begin', async () => {
  const org = await world().newOrg();
  const listening = await arrangeWorkflow(world(), org, {
    type: 'event',
    event_name: '$svc_webinar_attendance',
  });
  const { webinar_id, registration_id, org_user_id } = await registered(org);
  for (const attended of [false, false, true, true, true]) {
    await org.rest('POST /v1/webinars/attendance', { webinar_id, email, attended });
  }
  const events = await timelineOf(org, org_user_id, '$svc_webinar_attendance');
  expect(events.map((event) => event.custom_properties)).toEqual([
    { webinar_id, webinar_title: 'Getting started', registration_id, attended: true },
    { webinar_id, webinar_title: 'Getting started', registration_id, attended: false },
  ]);
  expect(await runsOf(world(), org)).toMatchObject([
    { workflow_id: listening, webinar_id },
    { workflow_id: listening, webinar_id },
  ]);
  const { rows } = await world().admin.query(
    `select 1 from audit_log where org_id = $1 and operation = 'report_attendance'`,
    [org.id],
  );
  expect(rows).toHaveLength(2);
});

test('a report that agrees with the platform takes over its record without telling it again', async () => {
  const org = await world().newOrg();
  const { webinar_id, registration_id, org_user_id } = await registered(org);
  await world().admin.query(
    `update registrations set attended = true, attendance_source = 'platform', attendance_at = now() where id = $1`,
    [registration_id],
  );
  const { body } = await org.rest('POST /v1/webinars/attendance', { webinar_id, email });
  expect(body).toMatchObject({ attended: true, previous_attended: true, source: 'api' });
  expect(await recorded(org, webinar_id)).toEqual([true, 'api']);
  expect(await timelineOf(org, org_user_id, '$svc_webinar_attendance')).toEqual([]);
});

test('reports at once leave the last one standing, each telling what stood before it', async () => {
  const org = await world().newOrg();
  const { webinar_id, org_user_id } = await registered(org);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, one) =>
      org.rest('POST /v1/webinars/attendance', { webinar_id, email, attended: one % 2 === 0 }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const [attended] = await recorded(org, webinar_id);
  const turns = (to: boolean) =>
    answers.filter(({ body }) => body.attended === to && body.previous_attended !== to).length;
  expect(turns(true) - turns(false)).toBe(attended === true ? 1 : 0);
  const events = await timelineOf(org, org_user_id, '$svc_webinar_attendance');
  // The first report is told even if it says what was taken for granted.
  expect(events.length - turns(true) - turns(false)).toBeOneOf([0, 1]);
});
