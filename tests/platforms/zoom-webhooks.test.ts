import { createHmac } from 'node:crypto';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import type { TestOrg } from '../support/test-org.ts';
import { registerFor, timelineOf } from '../support/webinar.ts';
import { useWorld } from '../support/world.ts';
import { startZoom } from '../support/zoom.ts';
import { attendees, linkedWebinar, minute, newEvent, pushAt, type Linked } from './setting.ts';

const zoom = await startZoom();
afterAll(() => zoom.stop());
const world = useWorld({ env: { DATABASE_POOL_SIZE: '16' } });
const joinedEvent = 'webinar.participant_joined';

let org: TestOrg;
let linked: Linked;
let endpoint: string;
beforeEach(async () => {
  org = await world().newOrg();
  linked = await linkedWebinar(org, zoom, { start_time: new Date(Date.now() + 30 * minute).toISOString() });
  endpoint = `${world().url}/webhooks/zoom/${org.id}/${linked.connection}`;
});

const joined = (participant: object, event: string | number = linked.event): object => ({
  account_id: zoom.credentials.account_id,
  object: { id: event, uuid: 'a', participant },
});
const attended = () => attendees(world(), linked.webinar);

test('the endpoint proves itself when Zoom asks whether it is ours', async () => {
  const answer = await zoom.tell(endpoint, 'endpoint.url_validation', {
    plainToken: 'q9ibPhGeRZ6ayx5WTrXjRw',
  });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({
    plainToken: 'q9ibPhGeRZ6ayx5WTrXjRw',
    encryptedToken: createHmac('sha256', zoom.credentials.webhook_secret_token)
      .update('q9ibPhGeRZ6ayx5WTrXjRw')
      .digest('hex'),
  });
});

test('a registrant who joins attends, by the id or by the address, once however often it is told', async () => {
  const { org_user_id } = await registerFor(org, linked.webinar, { email: 'ada@example.com' });
  await registerFor(org, linked.webinar, { email: 'bob@example.com' });
  await registerFor(org, linked.webinar, { email: 'eve@example.com' });
  await pushAt(world(), org, zoom, linked.webinar);
  const { registrant_id } = zoom.registrants(linked.event).get('ada@example.com')!;
  for (let n = 0; n < 3; n++) {
    expect((await zoom.tell(endpoint, joinedEvent, joined({ registrant_id, email: '' }))).status).toBe(200);
  }
  const byAddress = joined({ email: 'Bob@Example.com' }, Number(linked.event));
  expect((await zoom.tell(endpoint, joinedEvent, byAddress)).status).toBe(200);
  expect(await attended()).toEqual(['ada@example.com', 'bob@example.com']);
  expect(await timelineOf(org, org_user_id, '$svc_webinar_attendance')).toHaveLength(1);
});

test('a correction through the API stands against it', async () => {
  await registerFor(org, linked.webinar, { email: 'ada@example.com' });
  await org.rest('POST /v1/webinars/attendance', {
    webinar_id: linked.webinar,
    email: 'ada@example.com',
    attended: false,
  });
  await zoom.tell(endpoint, joinedEvent, joined({ email: 'ada@example.com' }));
  expect(await attended()).toEqual([]);
});

test('strangers, other events and sessions long before the start change nothing', async () => {
  await registerFor(org, linked.webinar, { email: 'ada@example.com' });
  await zoom.tell(endpoint, joinedEvent, joined({ email: 'nobody@example.com' }));
  await zoom.tell(endpoint, joinedEvent, joined({ email: 'ada@example.com' }, newEvent()));
  await zoom.tell(endpoint, joinedEvent, joined({}));
  expect((await zoom.tell(endpoint, 'webinar.started', { object: {} })).status).toBe(200);
  expect((await zoom.tell(endpoint, joinedEvent, { object: 'odd' })).status).toBe(200);
  const far = await linkedWebinar(org, zoom, {
    start_time: new Date(Date.now() + 13 * 60 * minute).toISOString(),
  });
  await registerFor(org, far.webinar, { email: 'ada@example.com' });
  await zoom.tell(endpoint, joinedEvent, joined({ email: 'ada@example.com' }, far.event));
  expect(await attended()).toEqual([]);
  expect(await attendees(world(), far.webinar)).toEqual([]);
});

test('what Zoom did not sign for this connection, just now and over these bytes, is refused', async () => {
  await registerFor(org, linked.webinar, { email: 'ada@example.com' });
  const payload = joined({ email: 'ada@example.com' });
  const other = await world().newOrg();
  const theirs = await linkedWebinar(other, zoom);
  const tried = [
    await zoom.tell(endpoint, joinedEvent, payload, { secret: 'another' }),
    await zoom.tell(endpoint, joinedEvent, payload, { at: new Date(Date.now() - 6 * minute) }),
    await zoom.tell(endpoint, joinedEvent, payload, { at: new Date(Date.now() + 6 * minute) }),
    await zoom.tell(`${world().url}/webhooks/zoom/${org.id}/${theirs.connection}`, joinedEvent, payload),
    await zoom.tell(`${world().url}/webhooks/zoom/${other.id}/${linked.connection}`, joinedEvent, payload),
    await zoom.tell(`${world().url}/webhooks/zoom/${org.id}/nonsense`, joinedEvent, payload),
    await fetch(endpoint, { method: 'POST', body: JSON.stringify({ event: joinedEvent, payload }) }),
  ];
  expect(tried.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401, 401]);
  const said = await Promise.all(
    tried.slice(3, 5).map((answer) => answer.json() as Promise<{ detail: string }>),
  );
  expect(new Set(said.map(({ detail }) => detail)).size).toBe(1);
  expect(await attended()).toEqual([]);
});

test('a signature is over the bytes: one changed byte is refused', async () => {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const body = JSON.stringify({ event: 'webinar.started', payload: {} });
  const secret = zoom.credentials.webhook_secret_token;
  const signature = `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
  const send = (sent: string) =>
    fetch(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-zm-signature': signature,
        'x-zm-request-timestamp': timestamp,
      },
      body: sent,
    });
  expect((await send(body)).status).toBe(200);
  expect((await send(`${body} `)).status).toBe(401);
});

test('reports that are not checked yet hold a small part of the connections, and the others come again later', async () => {
  await world().admin.query('begin; lock table platform_connections in access exclusive mode');
  try {
    const told = Array.from({ length: 6 }, () => zoom.tell(endpoint, 'webinar.started', { object: {} }));
    const held = Math.floor(world().config.DATABASE_POOL_SIZE / 8);
    const first = await Promise.race(told);
    expect([first.status, first.headers.get('retry-after')]).toEqual([503, '30']);
    await vi.waitFor(async () => {
      const { rows } = await world().admin.query(
        `select count(*)::int as held from pg_stat_activity
       where datname = current_database() and query like '%platform_connections%' and wait_event_type = 'Lock'`,
      );
      expect(rows).toEqual([{ held }]);
    }, 20_000);
    await world().admin.query('rollback');
    const statuses = (await Promise.all(told)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(held);
  } finally {
    await world().admin.query('rollback');
  }
});
