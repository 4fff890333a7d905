import { describe, expect, test } from 'vitest';
import { permissions } from '../../src/kernel/caller.ts';
import { moveOn, Visitor } from '../accounts/visitor.ts';
import { answerForm, browserOf, consent, newClient, register, TestClient } from '../support/connection.ts';
import { newMember, newSignedIn, TestMember } from '../support/member.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

async function asking(redirectUri?: string) {
  const org = await world().newOrg();
  const member = await newMember(world(), org, 'owner');
  return { org, member, client: await newClient(world(), redirectUri), visitor: browserOf(member) };
}

const connections = async (): Promise<number> =>
  (await world().admin.query('select from connections')).rowCount!;

describe('open redirect', () => {
  test.each([
    ['another host', 'https://evil.example/callback'],
    ['a user before the host', 'http://127.0.0.1:3999@evil.example/callback'],
    ['a longer path', 'http://127.0.0.1:3999/callback/../evil'],
    ['an escaped path', 'http://127.0.0.1:3999/%63allback'],
    ['one escaped twice', 'http://127.0.0.1:3999/%2563allback'],
    ['a fragment', 'http://127.0.0.1:3999/callback#evil'],
    ['another name of the computer', 'http://localhost:3999/callback'],
    ['a scheme of its own', 'evil://127.0.0.1:3999/callback'],
    ['a script', 'javascript:alert(1)'],
    ['none', ''],
  ])('an answer to %s is neither asked for nor given', async (_what, redirect_uri) => {
    const { client, member, visitor } = await asking();
    const before = await connections();
    const asked = client.request({ redirect_uri });
    const page = await visitor.get(`/oauth/authorize?${asked}`);
    expect(page).toMatchObject({ status: 400, location: null });
    expect(page.text).not.toContain('evil');
    for (const answer of ['yes', 'no'])
      expect(
        await visitor.post('/oauth/authorize', answerForm(asked, member.id, permissions, answer)),
      ).toMatchObject({ status: 400, location: null });
    expect(await connections()).toBe(before);
  });

  test('nobody is sent to a client by looking, not even with an error', async () => {
    const { client, visitor } = await asking();
    const page = await visitor.get(`/oauth/authorize?${client.request({ response_type: 'token' })}`);
    expect(page).toMatchObject({ status: 400, location: null });
    expect(page.text).toContain('Back to 127.0.0.1:3999');
    expect(page.text).toContain('error=unsupported_response_type');
  });

  test('after signing in a browser goes on to the page that asks, and nowhere else', async () => {
    const { client, member } = await asking();
    const visitor = new Visitor(world().url);
    const path = `/oauth/authorize?${client.request()}`;
    expect(await visitor.get(path)).toMatchObject({ status: 303, location: '/sign-in' });
    visitor.jar.set('__Host-rostrum-session', member.user.token);
    expect(await visitor.get('/account')).toMatchObject({ status: 303, location: path });
    expect((await visitor.get('/account')).status).toBe(200);
    for (const planted of [
      '//evil.example/oauth/authorize?',
      'https://evil.example/',
      '/account/sign-out?',
    ]) {
      visitor.jar.set('__Host-rostrum-next', Buffer.from(planted.padEnd(30, 'x')).toString('base64url'));
      expect(await visitor.get('/account')).toMatchObject({ status: 200, location: null });
    }
  });
});

describe('PKCE', () => {
  test.each([
    ['missing', { code_challenge: undefined, code_challenge_method: undefined }],
    ['plain', { code_challenge_method: 'plain' }],
    ['of no method, which means plain', { code_challenge_method: undefined }],
    ['of another spelling', { code_challenge_method: 's256' }],
    ['without a challenge', { code_challenge: undefined }],
    ['too short', { code_challenge: 'short' }],
  ])('a request whose challenge is %s is refused', async (_how, changes) => {
    const { client, member, visitor } = await asking();
    const asked = client.request(changes);
    expect(await visitor.get(`/oauth/authorize?${asked}`)).toMatchObject({ status: 400 });
    const answered = await visitor.post('/oauth/authorize', answerForm(asked, member.id, permissions));
    expect(answered).toMatchObject({ status: 400, location: null });
  });
});

test('a request that says something twice is refused', async () => {
  const { client, visitor } = await asking();
  const asked = `${client.request()}&redirect_uri=${encodeURIComponent('https://evil.example/')}`;
  expect(await visitor.get(`/oauth/authorize?${asked}`)).toMatchObject({ status: 400, location: null });
});

test('token for another resource: nobody is asked for one', async () => {
  const { client, visitor } = await asking();
  for (const resource of ['https://other.example/mcp', `${world().url}/v1`, world().url]) {
    const page = await visitor.get(`/oauth/authorize?${client.request({ resource })}`);
    expect(page.status).toBe(400);
    expect(page.text).toContain('error=invalid_target');
  }
});

test('mix-up: every answer says who answers, and so does the metadata', async () => {
  const { client, member, visitor } = await asking();
  const yes = await consent(client, member);
  expect(yes.searchParams.get('iss')).toBe(world().url);
  expect(yes.searchParams.get('state')).toBe('a state');
  const form = answerForm(client.request(), member.id, permissions, 'no');
  const no = new URL((await visitor.post('/oauth/authorize', form)).location!);
  expect(Object.fromEntries(no.searchParams)).toEqual({
    error: 'access_denied',
    state: 'a state',
    iss: world().url,
  });
  const metadata = await (await fetch(`${world().url}/.well-known/oauth-authorization-server`)).json();
  expect(metadata).toMatchObject({
    issuer: world().url,
    authorization_response_iss_parameter_supported: true,
  });
});

describe('CSRF on the consent form', () => {
  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['another host of the same domain', { 'sec-fetch-site': 'same-site', origin: 'http://evil.127.0.0.1' }],
    ['a frame without an origin', { 'sec-fetch-site': 'cross-site', origin: 'null' }],
  ])('a form of %s connects nothing', async (_whose, headers) => {
    const { client, member, visitor } = await asking();
    const before = await connections();
    const form = answerForm(client.request(), member.id, permissions);
    const answered = await visitor.post('/oauth/authorize', form, headers);
    expect(answered).toMatchObject({ status: 403, location: null });
    expect(await connections()).toBe(before);
  });
});

describe('consent', () => {
  test('takes somebody who is signed in, with the second step', async () => {
    const { client, member } = await asking();
    const form = answerForm(client.request(), member.id, permissions);
    const stranger = new Visitor(world().url);
    expect(await stranger.post('/oauth/authorize', form)).toMatchObject({
      status: 303,
      location: '/sign-in',
    });
    await world().admin.query('update auth.sessions set awaits_code = true where user_id = $1', [
      member.user.userId,
    ]);
    const half = browserOf(member);
    expect(await half.get(`/oauth/authorize?${client.request()}`)).toMatchObject({ location: '/sign-in' });
    expect(await half.post('/oauth/authorize', form)).toMatchObject({ location: '/sign-in' });
  });

  test("is for an organization of one's own", async () => {
    const { client, member } = await asking();
    const other = await world().newOrg();
    const stranger = browserOf(member);
    const answered = await stranger.post(
      '/oauth/authorize',
      answerForm(client.request(), other.id, permissions),
    );
    expect(answered.location).toBeNull();
    const alone = new TestMember(world().url, other.id, await newSignedIn(world()));
    const page = await browserOf(alone).get(`/oauth/authorize?${client.request()}`);
    expect(page).toMatchObject({ status: 403 });
    expect(page.text).toContain('You are in no organization yet');
  });

  test('never grants what was not asked for, not ticked, or is not in the role', async () => {
    const org = await world().newOrg();
    const editor = await newMember(world(), org, 'editor');
    const client = await newClient(world());
    const scope = 'people.read people.delete webinars.read';
    await consent(client, editor, ['people.read', 'people.write', 'people.delete'], { scope });
    const { rows } = await world().admin.query('select permissions from connections where org_id = $1', [
      org.id,
    ]);
    expect(rows).toEqual([{ permissions: ['people.read'] }]);
  });

  test('with nothing ticked connects nothing, and says so', async () => {
    const { client, member, visitor } = await asking();
    const answered = await visitor.post('/oauth/authorize', answerForm(client.request(), member.id, []));
    expect(answered).toMatchObject({ status: 400, location: null });
    expect(answered.text).toContain('Tick at least one');
  });

  test('a client with a misleading name is shown as text, beside the host that its answer goes to', async () => {
    const name = `Rostrum\u202E\u200B <b>Support</b>\n verified ✓${'!'.repeat(200)}`;
    const { body } = await register(world().url, {
      client_name: name,
      redirect_uris: ['https://evil.example/callback'],
    });
    const member = await newMember(world(), await world().newOrg(), 'owner');
    const client = new TestClient(world().url, body.client_id, 'https://evil.example/callback');
    const { text, headers } = await browserOf(member).get(`/oauth/authorize?${client.request()}`);
    expect(text).toContain('Rostrum &lt;b&gt;Support&lt;/b&gt; verified');
    expect(text).not.toMatch(/\u202E|\u200B|<b>Support|!{60}/);
    expect(text).toMatch(/Sends the answer to<\/dt>\s*<dd>\s*<b class="key">evil\.example<\/b>/);
    expect(text).toContain('It chose its name itself, and nobody checked it.');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; form-action 'self' https://evil.example; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers.get('x-frame-options')).toBe('DENY');
  });

  test('leaves what sends and what deletes for the user to tick, and says why', async () => {
    const { client, visitor } = await asking();
    const { text } = await visitor.get(`/oauth/authorize?${client.request()}`);
    const box = (permission: string) =>
      new RegExp(`id="${permission.replace('.', '\\.')}"[^>]*>`).exec(text)?.[0] ?? '';
    for (const off of ['broadcasts.schedule', 'people.delete']) expect(box(off)).not.toMatch(/\bchecked\b/);
    for (const on of ['people.read', 'people.write', 'broadcasts.write', 'workflows.write'])
      expect(box(on)).toMatch(/\bchecked\b/);
    expect(text).toContain('Off, so that it is you who presses Schedule.');
    expect(text).not.toContain('<script');
  });
});

describe('registration', () => {
  test.each([
    ['no address', { redirect_uris: [] }],
    ['an address without TLS', { redirect_uris: ['http://client.example/cb'] }],
    ['an app', { redirect_uris: ['https://client.example/cb', 'evil://cb'] }],
    ['many addresses', { redirect_uris: Array.from({ length: 11 }, (_, at) => `https://a.example/${at}`) }],
    ['no list', { redirect_uris: 'https://client.example/cb' }],
  ])('with %s is refused', async (_what, metadata) => {
    expect(await register(world().url, metadata)).toMatchObject({
      status: 400,
      body: { error: 'invalid_redirect_uri' },
    });
  });

  test('gives no secret, whatever a client asks for', async () => {
    const { status, body } = await register(world().url, {
      token_endpoint_auth_method: 'client_secret_post',
      client_id: 'mine',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ token_endpoint_auth_method: 'none' });
    expect(body).not.toHaveProperty('client_secret');
    expect(body.client_id).not.toBe('mine');
  });

  test('flood: a network registers 50 an hour, and what nobody used is gone a day later', async () => {
    const rows = async () => (await world().admin.query('select from auth.clients')).rowCount!;
    const back = moveOn(world(), 2 * 3_600_000);
    try {
      await world().admin.query('delete from auth.clients');
      const answers = [];
      for (let at = 0; at < 60; at++) answers.push(await register(world().url));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(50);
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused).toHaveLength(10);
      expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await rows()).toBe(50);
      const further = moveOn(world(), 86_400_001);
      try {
        for (let at = 0; at < 4; at++) await register(world().url);
        expect(await rows()).toBe(4);
      } finally {
        further();
      }
    } finally {
      back();
    }
  });
});
