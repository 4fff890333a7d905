import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createWebinar as operation } from '../../src/domain/webinars/schedule/create-webinar.ts';
import { waysTo } from '../support/call-operation.ts';
import { contentsOf } from '../support/org-contents.ts';
import type { TestOrg } from '../support/test-org.ts';
import { arrangeWorkflow, countOf, createWebinar, registerFor } from '../support/webinar.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const ways = waysTo(operation);
const least = { title: 'Getting started', start_time: '2030-05-01T18:00:00+02:00' };
const keys = [
  'id',
  'title',
  'start_time',
  'timezone',
  'duration_minutes',
  'join_url',
  'provider',
  'status',
  'automation_id',
  'created_at',
];

// Answers are looked into by tests, not typed twice.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

/** What each face made of the same fields. */
async function make(org: TestOrg, fields: Record<string, unknown>): Promise<Json[]> {
  const made: Json[] = [];
  for (const way of ways) {
    const { status, body } = await way.call(org, { webinar: { ...least, ...fields } });
    expect({ way: way.name, status, body }).toMatchObject({
      status: way.name.startsWith('tool') ? 200 : 201,
    });
    made.push((body as Json).webinar);
  }
  return made;
}

/** That no face takes it, and that nothing is there afterwards. */
async function refuses(org: TestOrg, input: Record<string, unknown>, pointer: string): Promise<void> {
  const before = await contentsOf(world().admin, org);
  for (const way of ways) {
    const { status, body } = await way.call(org, input);
    expect({ way: way.name, status, body }).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    const pointers = (body as Json).errors.map((error: Json) => error.pointer);
    expect({ input, pointers }).toMatchObject({ pointers: expect.arrayContaining([pointer]) });
  }
  expect(await contentsOf(world().admin, org)).toEqual(before);
}

const without = (field: string) =>
  Object.fromEntries(Object.entries(least).filter(([name]) => name !== field));

test('WEB-019 WEB-020 WEB-021 a webinar is made of what stands in the webinar object, and answered with all its fields', async () => {
  const org = await world().newOrg();
  for (const webinar of await make(org, {})) {
    expect(Object.keys(webinar)).toEqual(expect.arrayContaining(keys));
    expect(webinar).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      title: 'Getting started',
      start_time: '2030-05-01T16:00:00.000Z',
      timezone: null,
      duration_minutes: null,
      join_url: null,
      provider: null,
      status: 'scheduled',
      automation_id: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: webinar.created_at,
      phase: 'upcoming',
    });
  }
  await refuses(org, { ...least }, '/webinar');
  await refuses(org, { webinar: least, title: 'Beside it' }, '/title');
});

test('WEB-001 WEB-018 the service gives id and created_at; a caller who sends them is refused', async () => {
  const org = await world().newOrg();
  await refuses(org, { webinar: { ...least, id: randomUUID() } }, '/webinar/id');
  await refuses(org, { webinar: { ...least, created_at: '2001-01-01T00:00:00Z' } }, '/webinar/created_at');
  const from = Date.now();
  const [one, other] = await make(org, {});
  expect(one.id).not.toBe(other.id);
  expect(Date.parse(one.created_at)).toBeGreaterThanOrEqual(from - 1_000);
  expect(Date.parse(one.created_at)).toBeLessThanOrEqual(Date.now() + 1_000);
});

test('WEB-003 WEB-004 without a title or a start_time no webinar is made', async () => {
  const org = await world().newOrg();
  await refuses(org, { webinar: without('title') }, '/webinar/title');
  await refuses(org, { webinar: without('start_time') }, '/webinar/start_time');
  for (const title of ['', '   ', 7, null, 'x'.repeat(501)]) {
    await refuses(org, { webinar: { ...least, title } }, '/webinar/title');
  }
  expect(await countOf(world(), org, 'webinars')).toBe(0);
});

test('WEB-005 a start_time that is no date, or has no offset, is refused', async () => {
  const org = await world().newOrg();
  for (const start_time of [
    'tomorrow',
    '2030-05-01',
    '2030-05-01T18:00:00',
    '2030-05-01 18:00:00+02:00',
    '2030-13-01T18:00:00Z',
    '2030-02-30T18:00:00Z',
    '',
    1_900_000_000,
    null,
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-14:00',
  ]) {
    await refuses(org, { webinar: { ...least, start_time } }, '/webinar/start_time');
  }
  expect(await countOf(world(), org, 'webinars')).toBe(0);
});

test('WEB-006 the start_time answered is the same instant as the one sent', async () => {
  const org = await world().newOrg();
  for (const start_time of [
    '2030-05-01T18:00:00+02:00',
    '2030-05-01T16:00:00Z',
    '2030-05-01T05:30:00.250-10:30',
    '2030-05-01T18:00+02:00',
    '2001-01-01T00:00:00Z',
  ]) {
    for (const webinar of await make(org, { start_time })) {
      expect(Date.parse(webinar.start_time)).toBe(Date.parse(start_time));
    }
  }
});

test('WEB-007 WEB-008 timezone is an IANA zone name, and nothing else', async () => {
  const org = await world().newOrg();
  for (const timezone of ['Europe/Paris', 'America/Argentina/Buenos_Aires', 'UTC', 'Australia/Lord_Howe']) {
    for (const webinar of await make(org, { timezone })) expect(webinar.timezone).toBe(timezone);
  }
  for (const timezone of ['Mars/Phobos', '+02:00', 'Paris', '', 2, 'Europe/Paris ']) {
    await refuses(org, { webinar: { ...least, timezone } }, '/webinar/timezone');
  }
});

test('WEB-009 duration_minutes is a number above zero', async () => {
  const org = await world().newOrg();
  for (const duration_minutes of [45, 0.5, 100_000]) {
    for (const webinar of await make(org, { duration_minutes })) {
      expect(webinar.duration_minutes).toBe(duration_minutes);
    }
  }
  for (const duration_minutes of ['45', true, 0, -1, 100_001, [45]]) {
    await refuses(org, { webinar: { ...least, duration_minutes } }, '/webinar/duration_minutes');
  }
});

test('WEB-010 WEB-011 join_url and provider are texts that read back as sent', async () => {
  const org = await world().newOrg();
  const fields = { join_url: 'https://example.com/j/1?pwd=a b', provider: ' Our own platform, №1 ' };
  for (const webinar of await make(org, fields)) expect(webinar).toMatchObject(fields);
  await refuses(org, { webinar: { ...least, join_url: 1 } }, '/webinar/join_url');
  await refuses(org, { webinar: { ...least, provider: {} } }, '/webinar/provider');
});

test('WEB-012 status omitted gives scheduled', async () => {
  const org = await world().newOrg();
  for (const webinar of await make(org, {})) expect(webinar.status).toBe('scheduled');
});

test('WEB-013 WEB-014 status draft and scheduled are taken', async () => {
  const org = await world().newOrg();
  for (const status of ['draft', 'scheduled']) {
    for (const webinar of await make(org, { status })) expect(webinar.status).toBe(status);
  }
});

test('WEB-015 any other status is refused, with the two named', async () => {
  const org = await world().newOrg();
  for (const status of ['canceled', 'live', 'Draft', '', null]) {
    await refuses(org, { webinar: { ...least, status } }, '/webinar/status');
  }
  const { body } = await org.rest('POST /v1/webinars', { webinar: { ...least, status: 'canceled' } });
  expect(body.errors[0].allowed).toEqual(['draft', 'scheduled']);
});

test('WEB-017 automation_id is a workflow of the organization, answered as a uuid', async () => {
  const org = await world().newOrg();
  const automation_id = await arrangeWorkflow(world(), org, {
    type: 'webinar_registration',
    webinar_id: null,
  });
  for (const webinar of await make(org, { automation_id })) expect(webinar.automation_id).toBe(automation_id);
  await refuses(org, { webinar: { ...least, automation_id: 'mine' } }, '/webinar/automation_id');
});

test("TEN-008 another organization's workflow is as unknown as one that nobody has", async () => {
  const org = await world().newOrg();
  const stranger = await world().newOrg();
  const theirs = await arrangeWorkflow(world(), stranger, { type: 'event', event_name: 'bought' });
  const before = await contentsOf(world().admin, org);
  for (const way of ways) {
    const said: Json[] = [];
    for (const automation_id of [theirs, randomUUID()]) {
      const { status, body } = await way.call(org, { webinar: { ...least, automation_id } });
      const { code, detail } = body as Json;
      said.push({ status, code, detail });
    }
    expect(said[0]).toMatchObject({ status: 404, code: 'not_found' });
    expect(said[0].detail).toContain('workflow');
    expect(said[1]).toEqual(said[0]);
  }
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test('WEB-002 its id is what register, attendance, reschedule and broadcasts take', async () => {
  const org = await world().newOrg();
  const { id: webinar_id } = await createWebinar(org);
  const user = { email: 'ann@example.com' };
  expect(await registerFor(org, webinar_id, user)).toMatchObject({ already_registered: false });
  const attendance = await org.rest('POST /v1/webinars/attendance', { webinar_id, ...user });
  expect(attendance.status).toBe(200);
  const moved = await org.rest('POST /v1/webinars/reschedule', {
    webinar_id,
    start_time: '2030-06-01T18:00:00Z',
  });
  expect(moved.status).toBe(200);
  const draft = await org.rest('POST /v1/broadcasts', { audience: 'webinar', webinar_id });
  expect(draft.body).toMatchObject({ created: true, broadcast: { audience: { webinar_id } } });
});

test('creating a webinar leaves an audit row with its id', async () => {
  const org = await world().newOrg();
  const { id } = await createWebinar(org);
  const { rows } = await world().admin.query(
    `select operation, ids from audit_log where org_id = $1 and operation = 'create_webinar'`,
    [org.id],
  );
  expect(rows).toEqual([{ operation: 'create_webinar', ids: { webinar_id: id } }]);
});
