import { expect, test } from 'vitest';
import { moveOn } from '../accounts/visitor.ts';
import { connect, consent, newClient, newConnection, TestConnection } from '../support/connection.ts';
import { newMember } from '../support/member.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const statusOf = async (connection: TestConnection, token: string): Promise<number> =>
  (await connection.call('list_people', {}, token)).status;

/** Whether a credential stopped working within the second that there is for it. */
async function ends(connection: TestConnection, token = connection.secret): Promise<void> {
  await expect.poll(() => statusOf(connection, token), { timeout: 1_000, interval: 50 }).toBe(401);
}

async function codeOf() {
  const client = await newClient(world());
  const member = await newMember(world(), await world().newOrg(), 'owner');
  const answered = await consent(client, member);
  return { client, member, code: answered.searchParams.get('code')! };
}

const families = async (org: string): Promise<number> =>
  (await world().admin.query('select from connection_families where org_id = $1', [org])).rowCount!;

test('nothing that lets a client in is in the database, only hashes are', async () => {
  const { client, member, code } = await codeOf();
  const { body } = await client.exchange(code);
  const { rows } = await world().admin.query(
    'select f::text as row from connection_families f where org_id = $1',
    [member.id],
  );
  for (const secret of [code, body.access_token, body.refresh_token])
    for (const { row } of rows) {
      expect(row).not.toContain(secret);
      expect(row).not.toContain(Buffer.from(secret).toString('hex'));
    }
  expect(rows).toHaveLength(1);
});

test('code replay: a code that comes again ends the tokens it was good for', async () => {
  const { client, member, code } = await codeOf();
  const first = await client.exchange(code);
  expect(first.body).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
  const connection = new TestConnection(client, member, first.body);
  expect(await statusOf(connection, first.body.access_token)).toBe(200);
  expect(await client.exchange(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  await ends(connection, first.body.access_token);
  expect(await client.refresh(first.body.refresh_token)).toMatchObject({ status: 400 });
  const { rows } = await world().admin.query(
    "select actor_id, reason from audit_log where org_id = $1 and operation = 'end_connection'",
    [member.id],
  );
  expect(rows).toEqual([{ actor_id: member.user.userId, reason: 'Its code was used twice.' }]);
});

test('a code that is sent twice at once gives tokens once at most, and those end', async () => {
  const { client, member, code } = await codeOf();
  const answers = await Promise.all([client.exchange(code), client.exchange(code), client.exchange(code)]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await families(member.id)).toBe(0);
});

test.each([
  ['without a verifier', { code_verifier: '' }],
  ['with another verifier', { code_verifier: 'a'.repeat(43) }],
  ['for another client', { client_id: '01a1ea33-0000-7000-8000-000000000000' }],
  ['for another address', { redirect_uri: 'http://127.0.0.1:3999/other' }],
])('a code is worth nothing %s, and stays good for its client', async (_how, changes) => {
  const { client, code } = await codeOf();
  expect(await client.exchange(code, changes)).toMatchObject({
    status: 400,
    body: { error: 'invalid_grant' },
  });
  expect((await client.exchange(code)).status).toBe(200);
});

test('PKCE downgrade: the challenge itself is no verifier', async () => {
  const { client, code } = await codeOf();
  expect((await client.exchange(code, { code_verifier: client.challenge })).status).toBe(400);
});

test('a code is good for a minute', async () => {
  const { client, code } = await codeOf();
  const back = moveOn(world(), 60_000);
  try {
    expect((await client.exchange(code)).status).toBe(400);
  } finally {
    back();
  }
});

test('token for another resource: a code and a refresh are refused for one', async () => {
  const { client, code } = await codeOf();
  const other = { resource: 'https://other.example/mcp' };
  expect(await client.exchange(code, other)).toMatchObject({ body: { error: 'invalid_target' } });
  const { body } = await client.exchange(code);
  const refreshed = await client.token({
    grant_type: 'refresh_token',
    refresh_token: body.refresh_token,
    ...other,
  });
  expect(refreshed).toMatchObject({ body: { error: 'invalid_target' } });
});

test('token for another resource: a connection calls tools, and no other part of the service', async () => {
  const connection = await newConnection(world(), await world().newOrg());
  for (const headers of [
    { authorization: `Bearer ${connection.secret}` },
    { authorization: connection.secret, 'auth-type': 'api' },
    { cookie: `__Host-rostrum-session=${connection.secret}`, 'auth-type': 'session' },
  ] as Record<string, string>[])
    expect((await fetch(`${connection.url}/v1/people`, { headers })).status).toBeGreaterThanOrEqual(401);
  const bare = { authorization: connection.secret, 'auth-type': 'api', 'content-type': 'application/json' };
  expect((await fetch(`${connection.url}/mcp`, { method: 'POST', headers: bare, body: '{}' })).status).toBe(
    401,
  );
});

test('neither a code nor a token for new tokens calls a tool', async () => {
  const connection = await newConnection(world(), await world().newOrg());
  expect(await statusOf(connection, connection.tokens.refresh_token)).toBe(401);
  const { code } = await codeOf();
  expect(await statusOf(connection, code)).toBe(401);
});

test('new tokens take the place of the old ones', async () => {
  const connection = await newConnection(world(), await world().newOrg());
  const { status, body } = await connection.client.refresh(connection.tokens.refresh_token);
  expect(status).toBe(200);
  expect(await statusOf(connection, body.access_token)).toBe(200);
  await ends(connection);
});

test('refresh reuse: an old token ends the whole family', async () => {
  const connection = await newConnection(world(), await world().newOrg());
  const { client, tokens } = connection;
  const second = await client.refresh(tokens.refresh_token);
  const third = await client.refresh(second.body.refresh_token);
  expect(await client.refresh(tokens.refresh_token)).toMatchObject({ body: { error: 'invalid_grant' } });
  await ends(connection, third.body.access_token);
  expect((await client.refresh(third.body.refresh_token)).status).toBe(400);
  expect(await families(connection.id)).toBe(0);
});

test('a client that asks twice at once gets the same tokens; ten seconds later the old one ends the family', async () => {
  const connection = await newConnection(world(), await world().newOrg());
  const { client, tokens } = connection;
  const answers = await Promise.all([1, 2, 3].map(() => client.refresh(tokens.refresh_token)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
  expect(await statusOf(connection, answers[0]!.body.access_token)).toBe(200);
  const back = moveOn(world(), 10_001);
  try {
    expect((await client.refresh(tokens.refresh_token)).status).toBe(400);
    expect(await families(connection.id)).toBe(0);
  } finally {
    back();
  }
});

test("a token is nobody's but the client's it was given to", async () => {
  const connection = await newConnection(world(), await world().newOrg());
  const other = await newClient(world());
  expect((await other.refresh(connection.tokens.refresh_token)).status).toBe(400);
  await other.revoke(connection.tokens.refresh_token);
  await other.revoke(connection.secret);
  expect(await statusOf(connection, connection.secret)).toBe(200);
  expect((await connection.client.refresh(connection.tokens.refresh_token)).status).toBe(200);
});

test.each(['access_token', 'refresh_token'] as const)(
  'a client ends its connection by its %s',
  async (which) => {
    const connection = await newConnection(world(), await world().newOrg());
    expect((await connection.client.revoke(connection.tokens[which])).status).toBe(200);
    await ends(connection);
    expect((await connection.client.refresh(connection.tokens.refresh_token)).status).toBe(400);
    const left = await world().admin.query('select from connections where org_id = $1', [connection.id]);
    expect(left.rowCount).toBe(0);
    expect((await connection.client.revoke('nonsense')).status).toBe(200);
  },
);

test('a client on two devices has two families: one ends alone', async () => {
  const member = await newMember(world(), await world().newOrg(), 'owner');
  const client = await newClient(world());
  const laptop = await connect(member, client);
  const desk = await connect(member, client);
  await client.revoke(laptop.tokens.refresh_token);
  await ends(laptop);
  expect(await statusOf(desk, desk.secret)).toBe(200);
});

test('a token for calls is good for an hour, and all end after 90 days', async () => {
  const connection = await newConnection(world(), await world().newOrg());
  const back = moveOn(world(), 3_600_000);
  try {
    expect(await statusOf(connection, connection.secret)).toBe(401);
    const { body } = await connection.client.refresh(connection.tokens.refresh_token);
    expect(body.expires_in).toBe(3600);
    const further = moveOn(world(), 90 * 86_400_000);
    try {
      expect((await connection.client.refresh(body.refresh_token)).status).toBe(400);
    } finally {
      further();
    }
  } finally {
    back();
  }
});
