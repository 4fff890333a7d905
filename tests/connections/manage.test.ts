import { expect, test } from 'vitest';
import { connect, newClient, newConnection } from '../support/connection.ts';
import { newMember } from '../support/member.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

test('a user sees and ends connections of their own, an owner and an admin those of all', async () => {
  const org = await world().newOrg();
  const owner = await newMember(world(), org, 'owner');
  const admin = await newMember(world(), org, 'admin');
  const viewer = await newMember(world(), org, 'viewer');
  const ofOwner = await connect(owner, await newClient(world()), ['people.read', 'people.delete']);
  const ofViewer = await connect(viewer, await newClient(world()));
  await ofViewer.tool('list_people');

  const seen = await viewer.rest('GET /v1/connections');
  expect(seen).toMatchObject({ status: 200, body: { total: 1 } });
  expect(seen.body.connections[0]).toMatchObject({
    user: { user_id: viewer.user.userId, email: viewer.user.email },
    client_name: 'Desk assistant',
    client_host: null,
    redirect_host: '127.0.0.1:3999',
    permissions: ['people.read', 'webinars.read', 'broadcasts.read', 'workflows.read'],
  });
  const all = (await admin.rest('GET /v1/connections')).body.connections;
  expect(all.map((one: { user: { user_id: string } }) => one.user.user_id)).toEqual([
    viewer.user.userId,
    owner.user.userId,
  ]);
  const [ofViewerId, ofOwnerId] = all.map((one: { id: string }) => one.id);

  expect((await viewer.rest(`DELETE /v1/connections/${ofOwnerId}`)).status).toBe(404);
  expect(await viewer.rest(`DELETE /v1/connections/${ofViewerId}`)).toMatchObject({ status: 200 });
  expect((await viewer.rest(`DELETE /v1/connections/${ofViewerId}`)).status).toBe(404);
  expect((await admin.rest(`DELETE /v1/connections/${ofOwnerId}`)).status).toBe(200);
  for (const one of [ofViewer, ofOwner]) {
    await expect.poll(async () => (await one.call('list_people')).status, { timeout: 1_000 }).toBe(401);
    expect((await one.client.refresh(one.tokens.refresh_token)).status).toBe(400);
  }
  const { rows } = await world().admin.query(
    "select actor_id, ids from audit_log where org_id = $1 and operation = 'end_connection' order by at",
    [org.id],
  );
  expect(rows).toEqual([
    { actor_id: viewer.user.userId, ids: { tool_connection_id: ofViewerId } },
    { actor_id: admin.user.userId, ids: { tool_connection_id: ofOwnerId } },
  ]);
});

test('neither a key nor a connection sees or ends connections', async () => {
  const org = await world().newOrg();
  const connection = await newConnection(world(), org);
  expect((await org.rest('GET /v1/connections')).status).toBe(403);
  const { rows } = await world().admin.query('select id from connections where org_id = $1', [org.id]);
  expect((await org.rest(`DELETE /v1/connections/${rows[0].id}`)).status).toBe(403);
  expect(await connection.toolNames()).not.toContain('end_connection');
});
