import { afterAll, beforeEach, expect, test } from 'vitest';
import { orgTransaction } from '../../src/database/org-transaction.ts';
import { openSecrets } from '../../src/domain/webinars/platforms/connection.ts';
import { keyring } from '../../src/main/keys.ts';
import type { TestOrg } from '../support/test-org.ts';
import { createWebinar, registerFor } from '../support/webinar.ts';
import { useWorld } from '../support/world.ts';
import { startGoto } from '../support/goto.ts';
import { startZoom } from '../support/zoom.ts';
import { connect, link, linkedWebinar, newEvent, pushAt } from './setting.ts';

const zoom = await startZoom();
const goto = await startGoto();
afterAll(() => Promise.all([zoom.stop(), goto.stop()]));
const world = useWorld();

let org: TestOrg;
beforeEach(async () => {
  zoom.behave = () => undefined;
  org = await world().newOrg();
});

const list = async () => (await org.rest('GET /v1/platform-connections')).body.platform_connections;
const { client_secret, webhook_secret_token } = zoom.credentials;
const secrets = [client_secret, webhook_secret_token];

test('a connection is made, listed and deleted, and shows where its platform is to send events', async () => {
  const made = await org.rest('POST /v1/platform-connections', { platform: 'zoom', ...zoom.credentials });
  expect(made.status).toBe(201);
  const connection = made.body.platform_connection;
  expect(made.body).toEqual({
    created: true,
    platform_connection: {
      id: expect.any(String),
      platform: 'zoom',
      account_id: zoom.credentials.account_id,
      client_id: zoom.credentials.client_id,
      webhook_url: `${world().url}/webhooks/zoom/${org.id}/${connection.id}`,
      trouble: null,
      trouble_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    },
  });
  expect(await list()).toEqual([connection]);
  const gone = await org.rest(`DELETE /v1/platform-connections/${connection.id}`);
  expect(gone).toMatchObject({ status: 200, body: { deleted: true, connection_id: connection.id } });
  expect(await list()).toEqual([]);
  expect((await org.rest(`DELETE /v1/platform-connections/${connection.id}`)).status).toBe(404);
});

test('an account at GoTo Webinar is connected by its own fields, and has no address for events', async () => {
  const made = await org.rest('POST /v1/platform-connections', { platform: 'goto', ...goto.credentials });
  expect(made).toMatchObject({ status: 201, body: { created: true } });
  const connection = made.body.platform_connection;
  expect(connection).toEqual({
    id: expect.any(String),
    platform: 'goto',
    account_id: goto.credentials.account_id,
    client_id: goto.credentials.client_id,
    webhook_url: null,
    trouble: null,
    trouble_at: null,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  expect(await list()).toEqual([connection]);
  for (const platform of ['goto', 'zoom']) {
    const told = await fetch(`${world().url}/webhooks/${platform}/${org.id}/${connection.id}`, {
      method: 'POST',
      body: '{}',
    });
    expect(told.status).toBe(platform === 'goto' ? 404 : 401);
  }
  const { rows } = await world().admin.query('select c::text from platform_connections c where org_id = $1', [
    org.id,
  ]);
  for (const secret of [goto.credentials.client_secret, goto.credentials.refresh_token])
    expect(JSON.stringify([made, rows, world().logLines])).not.toContain(secret);
});

test('the same account id at two platforms is two accounts', async () => {
  const first = await connect(org, zoom, { account_id: 'the-same' });
  const second = await connect(org, goto, { account_id: 'the-same' });
  expect(second.id).not.toBe(first.id);
  expect(await list()).toHaveLength(2);
});

test('a platform is given all of its own fields, and none of another', async () => {
  const { refresh_token, ...rest } = goto.credentials;
  const { status, body } = await org.rest('POST /v1/platform-connections', {
    platform: 'goto',
    ...rest,
    webhook_secret_token,
  });
  expect(status).toBe(400);
  expect(body.errors).toEqual([
    {
      pointer: '/webhook_secret_token',
      code: 'custom',
      detail: expect.stringContaining('GoTo Webinar has no'),
    },
    { pointer: '/refresh_token', code: 'custom', detail: 'Is missing. GoTo Webinar needs it.' },
  ]);
  expect(JSON.stringify(body)).not.toContain(webhook_secret_token);
  const both = await org.rest('POST /v1/platform-connections', {
    platform: 'zoom',
    ...zoom.credentials,
    refresh_token,
  });
  expect(both).toMatchObject({ status: 400, body: { errors: [{ pointer: '/refresh_token' }] } });
  expect(await list()).toEqual([]);
});

test('a link is checked by the platform it leads to', async () => {
  const { id: webinar } = await createWebinar(org);
  const key = goto.newEvent();
  const { id: atZoom } = await connect(org, zoom);
  const refused = await org.rest(`PUT /v1/webinars/${webinar}/platform`, {
    connection_id: atZoom,
    event_id: key,
  });
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer: '/event_id' }] } });
  const { id: atGoto } = await connect(org, goto);
  expect(await link(org, webinar, atGoto, key)).toMatchObject({ platform: 'goto', event_id: key });
});

test('connecting an account again replaces its credentials, and nothing else', async () => {
  const first = await connect(org, zoom);
  const again = await org.rest('POST /v1/platform-connections', {
    platform: 'zoom',
    ...zoom.credentials,
    client_id: 'another_client',
    client_secret: 'another_secret',
  });
  expect(again).toMatchObject({ status: 200, body: { created: false } });
  expect(again.body.platform_connection).toMatchObject({ id: first.id, client_id: 'another_client' });
  const row = await orgTransaction(world().database, org.id, 'read', (db) =>
    db.selectFrom('platform_connections').selectAll().where('org_id', '=', org.id).executeTakeFirstOrThrow(),
  );
  expect(openSecrets(keyring(world().config).stored, org.id, row)).toEqual({
    client_secret: 'another_secret',
    webhook_secret_token,
  });
});

test('secrets are in no answer, no log line, no row as they are, and open for their own connection only', async () => {
  const { webinar } = await linkedWebinar(org, zoom);
  await registerFor(org, webinar, { email: 'ada@example.com' });
  await pushAt(world(), org, zoom, webinar);
  await connect(org, zoom, { account_id: 'another', client_secret, webhook_secret_token });
  const answers = [
    await org.rest('GET /v1/platform-connections'),
    await org.rest('POST /v1/platform-connections', { platform: 'zoom', ...zoom.credentials }),
    await org.rest(`GET /v1/webinars/${webinar}/platform`),
    await org.rest('POST /v1/platform-connections', { platform: 'teams', ...zoom.credentials }),
  ];
  const dumped = [];
  for (const table of [
    'platform_connections',
    'platform_links',
    'audit_log',
    'outbox',
    'idempotent_answers',
  ]) {
    dumped.push((await world().admin.query(`select t::text from ${table} t`)).rows);
  }
  const { rows } = await world().admin.query<{ id: string; secrets: Buffer }>(
    'select id, secrets from platform_connections where org_id = $1 order by created_at',
    [org.id],
  );
  const seen =
    JSON.stringify([answers, dumped, world().logLines]) +
    rows.map((row) => row.secrets.toString('latin1')).join();
  for (const secret of secrets) {
    expect(seen).not.toContain(secret);
    expect(seen).not.toContain(Buffer.from(secret).toString('hex'));
  }
  const { stored } = keyring(world().config);
  const [one, two] = rows;
  expect(openSecrets(stored, org.id, one!)).toEqual({ client_secret, webhook_secret_token });
  expect(() => openSecrets(stored, org.id, { id: two!.id, secrets: one!.secrets })).toThrow(
    'cannot be opened',
  );
  const other = await world().newOrg();
  expect(() => openSecrets(stored, other.id, one!)).toThrow('cannot be opened');
});

test('a connection is kept while a webinar is linked to it', async () => {
  const { webinar, connection } = await linkedWebinar(org, zoom);
  const refused = await org.rest(`DELETE /v1/platform-connections/${connection}`);
  expect(refused).toMatchObject({ status: 409, body: { code: 'still_referenced' } });
  expect((await org.rest(`DELETE /v1/webinars/${webinar}/platform`)).status).toBe(200);
  expect((await org.rest(`DELETE /v1/webinars/${webinar}/platform`)).status).toBe(404);
  expect((await org.rest(`DELETE /v1/platform-connections/${connection}`)).status).toBe(200);
});

test('a link is shown with what the platform knows; a webinar without one has none', async () => {
  const { id: webinar } = await createWebinar(org);
  expect((await org.rest(`GET /v1/webinars/${webinar}/platform`)).body).toEqual({ platform_link: null });
  const { id: connection } = await connect(org, zoom);
  const event = newEvent();
  const spaced = `${event.slice(0, 3)} ${event.slice(3, 7)} ${event.slice(7)}`;
  const made = await link(org, webinar, connection, spaced);
  expect(made).toMatchObject({
    platform: 'zoom',
    connection_id: connection,
    event_id: event,
    registrants: { pending: 0, registered: 0, refused: 0 },
    attendance: { synced_at: null, strangers: 0, trouble: null },
  });
  expect((await org.rest(`GET /v1/webinars/${webinar}/platform`)).body).toEqual({ platform_link: made });
});

test.each(['', 'https://zoom.us/w/1', '123', '../12345678901', '1234567890123'])(
  'an event id that is no number of a webinar is refused: %j',
  async (event_id) => {
    const { id: webinar } = await createWebinar(org);
    const { id: connection_id } = await connect(org, zoom);
    const { status, body } = await org.rest(`PUT /v1/webinars/${webinar}/platform`, {
      connection_id,
      event_id,
    });
    expect({ status, pointer: body.errors[0].pointer }).toEqual({ status: 400, pointer: '/event_id' });
  },
);

test('a canceled webinar is not linked', async () => {
  const { id: webinar } = await createWebinar(org);
  const { id: connection_id } = await connect(org, zoom);
  await org.rest(`POST /v1/webinars/${webinar}/cancel`, {});
  const answer = await org.rest(`PUT /v1/webinars/${webinar}/platform`, {
    connection_id,
    event_id: newEvent(),
  });
  expect(answer).toMatchObject({ status: 409, body: { code: 'webinar_canceled' } });
});

test('connections and links are no tools, and each needs its permission', async () => {
  expect((await org.toolNames()).filter((name) => /platform|link/.test(name))).toEqual([]);
  const { webinar, connection } = await linkedWebinar(org, zoom);
  const reader = await world().newKey(org, ['webinars.write', 'settings.read']);
  expect((await reader.rest('GET /v1/platform-connections')).status).toBe(200);
  const tried = [
    await reader.rest('POST /v1/platform-connections', { platform: 'zoom', ...zoom.credentials }),
    await reader.rest(`DELETE /v1/platform-connections/${connection}`),
    await reader.rest(`GET /v1/webinars/${webinar}/platform`),
  ];
  expect(tried.map(({ status }) => status)).toEqual([403, 403, 403]);
  const settings = await world().newKey(org, ['webinars.read', 'settings.write']);
  expect((await settings.rest(`DELETE /v1/webinars/${webinar}/platform`)).status).toBe(403);
});

test('TEN-001 another organization finds neither the connection nor the webinar', async () => {
  const { webinar, connection } = await linkedWebinar(org, zoom);
  const other = await world().newOrg();
  const { id: theirs } = await createWebinar(other);
  const tried = [
    await other.rest(`PUT /v1/webinars/${theirs}/platform`, {
      connection_id: connection,
      event_id: newEvent(),
    }),
    await other.rest(`GET /v1/webinars/${webinar}/platform`),
    await other.rest(`DELETE /v1/webinars/${webinar}/platform`),
    await other.rest(`DELETE /v1/platform-connections/${connection}`),
  ];
  expect(tried.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  expect((await other.rest('GET /v1/platform-connections')).body.platform_connections).toEqual([]);
});
