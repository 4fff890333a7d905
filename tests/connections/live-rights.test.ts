import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../../src/catalogue/operations.ts';
import { permissions, permissionsOf } from '../../src/kernel/caller.ts';
import type { AnyOperation } from '../../src/kernel/operation.ts';
import { buildApi } from '../../src/main/build-api.ts';
import { connect, newClient, newConnection, type TestConnection } from '../support/connection.ts';
import { newMember } from '../support/member.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const tools = (operations as readonly AnyOperation[]).filter(({ faces }) => faces.tool === true);

/** The same token at another process. */
let otherUrl: string;
let closeOther: () => Promise<unknown>;
beforeAll(async () => {
  const { config, database, clock } = world();
  const other = await buildApi({ config, database, clock, log: pino({ level: 'silent' }) });
  otherUrl = await other.listen({ host: '127.0.0.1', port: 0 });
  closeOther = () => other.close();
});
afterAll(() => closeOther());

const read = async (connection: TestConnection, url: string): Promise<number> => {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${connection.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_people', arguments: {} },
    }),
  });
  const { result } = (await response.json()) as { result?: { isError?: boolean } };
  return result?.isError === true ? 403 : response.status;
};

/** On both processes, which both believed the token just now. */
async function afterwards(
  connection: TestConnection,
  act: () => Promise<unknown>,
  status: number,
): Promise<void> {
  const urls = [connection.url, otherUrl];
  for (const url of urls) expect(await read(connection, url)).toBe(200);
  await act();
  const done = Date.now();
  for (const url of urls)
    await expect.poll(() => read(connection, url), { timeout: 1_000, interval: 20 }).toBe(status);
  expect(Date.now() - done).toBeLessThan(1_000);
}

test('stale membership: a member who is taken out takes the connection along, also when they come back', async () => {
  const org = await world().newOrg();
  const connection = await newConnection(world(), org);
  const { user } = connection.member;
  await afterwards(
    connection,
    () => world().admin.query('delete from members where org_id = $1 and id = $2', [org.id, user.userId]),
    401,
  );
  expect((await connection.client.refresh(connection.tokens.refresh_token)).status).toBe(400);
  await newMember(world(), org, 'owner', user);
  expect(await read(connection, connection.url)).toBe(401);
  expect((await connection.client.refresh(connection.tokens.refresh_token)).status).toBe(400);
});

test('a role that loses a right takes it from the connection, and gives it back', async () => {
  const org = await world().newOrg();
  const connection = await newConnection(world(), org);
  const become = (role: string) =>
    world().admin.query('update members set role = $3 where org_id = $1 and id = $2', [
      org.id,
      connection.member.user.userId,
      role,
    ]);
  const isRefused = async () =>
    (await connection.tool('identify_person', { email: 'a@example.com' })).isError;
  expect(await isRefused()).toBe(false);
  await become('viewer');
  await expect.poll(isRefused, { timeout: 1_000 }).toBe(true);
  // To ask the user would not help: they could not grant it.
  expect((await connection.call('identify_person', { email: 'a@example.com' })).status).toBe(200);
  await become('owner');
  await expect.poll(isRefused, { timeout: 1_000 }).toBe(false);
});

test('a connection of a deleted organization is nobody', async () => {
  const org = await world().newOrg();
  const connection = await newConnection(world(), org);
  const remove = () =>
    world().admin.query("update organizations set state = 'deleting' where id = $1", [org.id]);
  await afterwards(connection, remove, 401);
  expect((await connection.client.refresh('rr_nonsense')).status).toBe(400);
});

test('what was granted last counts, for all tokens of the client', async () => {
  const member = await newMember(world(), await world().newOrg(), 'owner');
  const client = await newClient(world());
  const first = await connect(member, client, ['people.read', 'people.write']);
  await afterwards(first, () => connect(member, client, ['webinars.read']), 403);
  const { rows } = await world().admin.query('select permissions from connections where org_id = $1', [
    member.id,
  ]);
  expect(rows).toEqual([{ permissions: ['webinars.read'] }]);
});

test.each(tools.filter(({ permission }) => permission !== undefined))(
  'AUT-022 step-up: $name without $permission is 403 and names it',
  async ({ name, permission }) => {
    const { connection } = await furnishedWithout(permission!);
    const response = await connection.call(name);
    expect(response.status).toBe(403);
    expect(response.headers.get('www-authenticate')).toContain(
      `Bearer error="insufficient_scope", scope="${permission}", resource_metadata="${world().url}/.well-known/oauth-protected-resource/mcp"`,
    );
  },
);

const without = new Map<string, Promise<{ connection: TestConnection }>>();
function furnishedWithout(permission: string) {
  const made =
    without.get(permission) ??
    (async () => {
      const org = await world().newOrg();
      return {
        connection: await newConnection(
          world(),
          org,
          permissions.filter((one) => one !== permission),
        ),
      };
    })();
  without.set(permission, made);
  return made;
}

test('a list shows what the user could grant, and nothing that their role does not have', async () => {
  const org = await world().newOrg();
  const small = await newConnection(world(), org, ['people.read']);
  expect(await small.toolNames()).toEqual(tools.map(({ name }) => name));
  const viewer = await newConnection(world(), org, ['people.read'], 'viewer');
  const seen = tools.filter(
    ({ permission }) => permission === undefined || permissionsOf.viewer.includes(permission),
  );
  expect(await viewer.toolNames()).toEqual(seen.map(({ name }) => name));
});

test('a stranger is told where tokens come from', async () => {
  const { url } = world();
  const response = await fetch(`${url}/mcp`, { method: 'POST', body: '{}' });
  expect(response.status).toBe(401);
  const metadataUrl = `${url}/.well-known/oauth-protected-resource/mcp`;
  expect(response.headers.get('www-authenticate')).toBe(
    `Bearer realm="rostrum", resource_metadata="${metadataUrl}"`,
  );
  const metadata = (await (await fetch(metadataUrl)).json()) as { scopes_supported: string[] };
  expect(metadata).toMatchObject({ resource: `${url}/mcp`, authorization_servers: [url] });
  expect(metadata.scopes_supported).toEqual(
    permissions.filter((one) => tools.some(({ permission }) => permission === one)),
  );
});
