import { expect, test } from 'vitest';
import { newToken } from '../../src/domain/accounts/token.ts';
import { lockWaits } from '../support/lock-waits.ts';
import { useWorld } from '../support/world.ts';
import { goodPassword, newLink, newUser, signedIn, Visitor } from './visitor.ts';

const world = useWorld();
const session = '__Host-rostrum-session';

test('session fixation: a cookie that was planted before signing in is worth nothing after it', async () => {
  const { email } = await newUser(world());
  const planted = newToken();
  const victim = new Visitor(world().url);
  victim.jar.set(session, planted);
  await victim.post('/sign-in', { email, password: goodPassword });
  expect(victim.session).not.toBe(planted);
  const attacker = new Visitor(world().url);
  attacker.jar.set(session, planted);
  expect((await attacker.get('/account')).location).toBe('/sign-in');
});

test("session fixation: an attacker's own session, planted, ends when the victim signs in over it", async () => {
  const { visitor: attacker } = await newUser(world());
  const { email } = await newUser(world());
  const victim = new Visitor(world().url);
  victim.jar.set(session, attacker.session!);
  await victim.post('/sign-in', { email, password: goodPassword });
  expect((await attacker.get('/account')).location).toBe('/sign-in');
  expect((await victim.get('/account')).text).toContain(email);
});

const foreign: readonly (readonly [name: string, headers: Record<string, string>])[] = [
  ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
  ['another host of the same domain', { 'sec-fetch-site': 'same-site', origin: 'http://evil.127.0.0.1' }],
  ['a page that hides its origin', { 'sec-fetch-site': 'cross-site', origin: 'null' }],
  ['an address that was typed', { 'sec-fetch-site': 'none' }],
  ['a browser that says only the origin', { 'sec-fetch-site': '' }],
  ['one that lies about the site alone', { origin: 'https://evil.example' }],
  ['one that says no origin', { origin: '' }],
];

test.each(foreign)('CSRF by form: nothing is done for %s', async (_name, headers) => {
  const { email, visitor } = await newUser(world());
  const link = await newLink(world(), email);
  for (const [path, fields] of [
    ['/sign-in', { email, password: goodPassword }],
    ['/sign-in/code', { code: '000000' }],
    ['/forgotten', { email }],
    [`/link/${link}`, { password: 'a better phrase still' }],
    ['/account/sign-out', {}],
    ['/account/sessions/end-others', {}],
    ['/account/password', { current: goodPassword, password: 'a better phrase still' }],
    ['/account/two-steps', { current: goodPassword }],
    ['/account/two-steps/confirm', { code: '000000' }],
    ['/account/two-steps/off', { current: goodPassword, code: '000000' }],
    ['/account/two-steps/codes', { current: goodPassword, code: '000000' }],
    ['/sign-in/passkey', {}],
    ['/account/passkeys', { current: goodPassword }],
    ['/account/passkeys/add', {}],
    ['/account/passkeys/x/name', { name: 'x' }],
    ['/account/passkeys/x/remove', { current: goodPassword }],
  ] as [string, Record<string, string>][]) {
    const { status, cookies } = await visitor.post(path, fields, headers);
    expect([path, status, cookies]).toEqual([path, 403, []]);
  }
  expect((await visitor.get('/account')).status).toBe(200);
});

test.each(foreign)('CSRF by fetch: nothing is answered to %s', async (_name, headers) => {
  const { visitor } = await newUser(world());
  const { session_id: id } = JSON.parse((await visitor.call('GET', '/account/session')).text) as {
    session_id: string;
  };
  expect((await visitor.call('DELETE', `/account/sessions/${id}`, headers)).status).toBe(403);
  const reads = 'sec-fetch-site' in headers ? headers : { ...headers, origin: headers['origin'] || 'null' };
  const read = await visitor.call('GET', '/account/session', reads);
  expect([read.status, read.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  expect((await visitor.get('/account')).status).toBe(200);
});

test('a call by a session says so: without Auth-Type: session it is refused', async () => {
  const { visitor } = await newUser(world());
  expect((await visitor.call('GET', '/account/session', { 'auth-type': 'api' })).status).toBe(401);
  expect((await visitor.call('GET', '/account/session')).status).toBe(200);
});

test('a cookie without __Host-, in other letters, or there twice lets nobody in', async () => {
  const { visitor } = await newUser(world());
  const token = visitor.session!;
  for (const cookie of [
    `rostrum-session=${token}`,
    `__Secure-rostrum-session=${token}`,
    `__host-rostrum-session=${token}`,
    `x__Host-rostrum-session=${token}`,
    `__Host-rostrum-session=${token}; __Host-rostrum-session=${newToken()}`,
  ]) {
    const { location } = await new Visitor(world().url).get('/account', { cookie });
    expect([cookie, location]).toEqual([cookie, '/sign-in']);
  }
});

test('what the database holds of a session lets nobody in', async () => {
  const { email } = await newUser(world());
  const { rows } = await world().admin.query<{ kept: Buffer }>(
    'select s.token_hash as kept from auth.sessions s join auth.users u on u.id = s.user_id where u.email = $1',
    [email],
  );
  const [{ kept }] = rows as [{ kept: Buffer }];
  for (const token of [
    kept.toString('base64url'),
    kept.toString('hex'),
    kept.toString('latin1').replaceAll(/[^\w-]/g, ''),
  ]) {
    const thief = new Visitor(world().url);
    thief.jar.set(session, token);
    expect((await thief.get('/account')).location).toBe('/sign-in');
  }
});

test('replay: a link works once, also at once, and a used password ends the older links', async () => {
  const { email, visitor } = await newUser(world());
  const older = await newLink(world(), email);
  const link = await newLink(world(), email);
  // Both have seen the link and hashed a password before either may write.
  const { admin } = world();
  await admin.query('begin');
  await admin.query('select 1 from auth.users where email = $1 for update', [email]);
  const both = Promise.all(
    ['a better phrase still', 'quite another phrase'].map((password) =>
      new Visitor(world().url).post(`/link/${link}`, { password }),
    ),
  );
  await expect.poll(() => lockWaits(admin), { timeout: 10_000 }).toBe(2);
  await admin.query('commit');
  expect((await both).map(({ status }) => `${status}`).toSorted()).toEqual(['303', '404']);
  expect((await visitor.get('/account')).location).toBe('/sign-in');
  expect(
    (await new Visitor(world().url).post(`/link/${older}`, { password: 'yet another phrase' })).status,
  ).toBe(404);
});

test('two links of one account at once: the first ends the second, and neither waits for the other in a circle', async () => {
  const { email } = await newUser(world());
  const links = [await newLink(world(), email), await newLink(world(), email)];
  const { admin } = world();
  await admin.query('begin');
  await admin.query('select 1 from auth.users where email = $1 for update', [email]);
  const both = Promise.all(
    links.map((link) =>
      new Visitor(world().url).post(`/link/${link}`, { password: 'a better phrase still' }),
    ),
  );
  await expect.poll(() => lockWaits(admin), { timeout: 10_000 }).toBe(2);
  await admin.query('commit');
  expect((await both).map(({ status }) => `${status}`).toSorted()).toEqual(['303', '404']);
});

test('replay: a link to a password is over after an hour', async () => {
  const { email } = await newUser(world());
  const old = await newLink(world(), email, new Date(world().clock.now().getTime() - 3_600_001));
  expect((await new Visitor(world().url).get(`/link/${old}`)).status).toBe(404);
  expect((await new Visitor(world().url).post(`/link/${old}`, { password: goodPassword })).status).toBe(404);
});

test('replay: a second link to make the same account leads nowhere', async () => {
  const [one, two] = [
    await newLink(world(), 'twice@example.com'),
    await newLink(world(), 'twice@example.com'),
  ];
  expect((await new Visitor(world().url).post(`/link/${one}`, { password: goodPassword })).status).toBe(303);
  expect(
    (await new Visitor(world().url).post(`/link/${two}`, { password: 'an attackers phrase' })).status,
  ).toBe(404);
  expect((await (await signedIn(world(), 'twice@example.com')).get('/account')).status).toBe(200);
});

test('what is typed comes back as text', async () => {
  const { text } = await new Visitor(world().url).post('/sign-in', {
    email: '"><script>alert(1)</script>',
    password: 'x',
  });
  expect(text).not.toContain('<script>');
  expect(text).toContain('&quot;&gt;&lt;script&gt;');
});

test('a page may load its style, and our script where passkeys are used, and be in no frame', async () => {
  const policy =
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
  for (const [path, more] of [
    ['/sign-in', "; script-src 'self'; connect-src 'self'"],
    ['/forgotten', ''],
    ['/link/x', ''],
  ] as const) {
    const { headers } = await new Visitor(world().url).get(path);
    expect(headers.get('content-security-policy')).toBe(policy + more);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cache-control')).toBe('no-store');
  }
});
