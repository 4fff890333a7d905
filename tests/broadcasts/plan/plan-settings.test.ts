import { expect, test } from 'vitest';
import { plan, readyDraft } from '../../support/broadcast.ts';
import { contentsOf } from '../../support/org-contents.ts';
import { asProblem, problem } from '../../support/problem.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import { newLiveOrg } from './plan-support.ts';

const world = useWorld();

const read = async (org: TestOrg) => (await org.rest('GET /v1/settings')).body.settings;
const change = (org: TestOrg, settings: unknown) => org.rest('PATCH /v1/settings', settings);

const fresh = {
  name: expect.any(String),
  timezone: 'UTC',
  two_key_sending: false,
  hold_if_audience_changes_by: null,
  default_country: null,
  test_recipients: [],
  history_months: null,
  limits: expect.any(Object),
};

test('a new organization writes dates in UTC, sends with one key, and to nobody really in test mode', async () => {
  for (const org of [await world().newOrg(), await newLiveOrg(world())]) {
    expect(await read(org)).toEqual(fresh);
  }
});

test.each([
  [{ timezone: 'Europe/Paris' }, { timezone: 'Europe/Paris', two_key_sending: true }],
  [{ two_key_sending: false }, { timezone: 'Asia/Tokyo', two_key_sending: false }],
  [
    { timezone: 'America/Argentina/Buenos_Aires', two_key_sending: false },
    { timezone: 'America/Argentina/Buenos_Aires', two_key_sending: false },
  ],
  [{ timezone: 'UTC' }, { timezone: 'UTC', two_key_sending: true }],
  [{ timezone: 'Asia/Kathmandu' }, { timezone: 'Asia/Kathmandu', two_key_sending: true }],
  [{ timezone: 'Etc/GMT+5' }, { timezone: 'Etc/GMT+5', two_key_sending: true }],
  [{}, { timezone: 'Asia/Tokyo', two_key_sending: true }],
])('PATCH %j changes what is sent and leaves the rest', async (sent, settings) => {
  const [org, other] = [await world().newOrg(), await world().newOrg()];
  await change(org, { timezone: 'Asia/Tokyo', two_key_sending: true });
  const answer = await change(org, sent);
  expect({ status: answer.status, body: answer.body }).toEqual({
    status: 200,
    body: { settings: { ...fresh, ...settings } },
  });
  expect(await read(org)).toEqual({ ...fresh, ...settings });
  expect(await read(other)).toEqual(fresh);
});

test.each([
  [{ timezone: '' }, '/timezone'],
  [{ timezone: ' ' }, '/timezone'],
  [{ timezone: 'Europe/Paris ' }, '/timezone'],
  [{ timezone: 'Mars/Olympus' }, '/timezone'],
  [{ timezone: 'Paris' }, '/timezone'],
  [{ timezone: '+02:00' }, '/timezone'],
  [{ timezone: '-0530' }, '/timezone'],
  [{ timezone: 'GMT+2' }, '/timezone'],
  [{ timezone: 'Europe/Paris\n' }, '/timezone'],
  [{ timezone: '../../etc/localtime' }, '/timezone'],
  [{ timezone: 'x'.repeat(200) }, '/timezone'],
  [{ timezone: null }, '/timezone'],
  [{ timezone: 2 }, '/timezone'],
  [{ two_key_sending: 'true' }, '/two_key_sending'],
  [{ two_key_sending: 1 }, '/two_key_sending'],
  [{ two_key_sending: null }, '/two_key_sending'],
  [{ timezone: 'Mars/Olympus', two_key_sending: true }, '/timezone'],
  [{ time_zone: 'Europe/Paris' }, '/time_zone'],
  [{ mode: 'live' }, '/mode'],
])('PATCH %j is refused with the field named, and nothing is changed', async (sent, pointer) => {
  const org = await world().newOrg();
  const before = await contentsOf(world().admin, org);
  const refused = await change(org, sent);
  expect(asProblem(refused)).toEqual(problem(400, 'invalid_request', '/v1/settings'));
  expect(refused.body.errors[0].pointer).toBe(pointer);
  expect(await read(org)).toEqual(fresh);
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test('every zone that the platform knows can be set and is planned in', async () => {
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org, {
    html: '<p>{{var_since}}</p>',
    variables: {
      var_since: {
        variable: '{{context.root_context.org_user.created_at}}',
        date_format: 'yyyy-MM-dd HH:mm',
      },
    },
  });
  const zones = Intl.supportedValuesOf('timeZone').filter((_, at) => at % 20 === 0);
  for (const timezone of [...zones, 'europe/berlin']) {
    expect((await change(org, { timezone })).status).toBe(200);
    expect((await plan(org, id)).preview.body).toMatch(/^<p>\d{4}-\d\d-\d\d \d\d:\d\d<\/p>$/);
  }
});

test('reading takes settings.read and changing settings.write, and a change is in the audit log once', async () => {
  const org = await world().newOrg();
  const reader = await world().newKey(org, ['settings.read']);
  const writer = await world().newKey(org, ['settings.write']);
  expect(await read(reader)).toEqual(fresh);
  expect((await change(reader, { timezone: 'Europe/Paris' })).status).toBe(403);
  expect((await writer.rest('GET /v1/settings')).status).toBe(403);
  expect((await change(writer, { timezone: 'Europe/Paris' })).status).toBe(200);
  expect((await change(writer, {})).status).toBe(200);
  const { rows } = await world().admin.query(
    'select operation, actor_id, ids from audit_log where org_id = $1',
    [org.id],
  );
  expect(rows).toEqual([{ operation: 'update_settings', actor_id: writer.keyId, ids: { org_id: org.id } }]);
});

test('with two_key_sending another key than the one that planned must schedule', async () => {
  const org = await world().newOrg();
  const second = await world().newKey(org, ['broadcasts.read', 'broadcasts.schedule']);
  const { id } = await readyDraft(world(), org);
  await change(org, { two_key_sending: true });
  const { plan_token } = await plan(org, id);
  const path = `/v1/broadcasts/${id}/schedule`;
  const refused = await org.rest(`POST ${path}`, { plan_token });
  expect(asProblem(refused)).toEqual(problem(403, 'second_key_needed', path));
  expect((await second.rest(`POST ${path}`, { plan_token })).status).toBe(200);
});
