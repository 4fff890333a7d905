import { expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { goodPassword, moveOn, newLink, newUser, signedIn, Visitor } from './visitor.ts';

const world = useWorld();
const hour = 3_600_000;

const at = async <T>(later: number, act: () => Promise<T>): Promise<T> => {
  const back = moveOn(world(), later);
  try {
    return await act();
  } finally {
    back();
  }
};

test('a link makes an account once, and signs its user in', async () => {
  const visitor = new Visitor(world().url);
  const token = await newLink(world(), 'robin@example.com');
  expect((await visitor.get(`/link/${token}`)).text).toContain('robin@example.com');
  const made = await visitor.post(`/link/${token}`, { password: goodPassword });
  expect([made.status, made.location]).toEqual([303, '/account']);
  expect((await visitor.get('/account')).text).toContain('robin@example.com');
  const again = await new Visitor(world().url).post(`/link/${token}`, { password: 'another good phrase' });
  expect([again.status, again.cookies]).toEqual([404, []]);
});

test('a password signs in, and a wrong one does not', async () => {
  const { email } = await newUser(world());
  const visitor = new Visitor(world().url);
  const wrong = await visitor.post('/sign-in', { email, password: 'not this one' });
  expect([wrong.status, wrong.cookies]).toEqual([401, []]);
  const right = await visitor.post('/sign-in', { email: ` ${email.toUpperCase()} `, password: goodPassword });
  expect([right.status, right.location]).toEqual([303, '/account']);
  expect((await visitor.get('/account')).status).toBe(200);
});

test('the cookie of a session is __Host-, Secure, HttpOnly and SameSite=Lax, and the database has only its hash', async () => {
  const { email } = await newUser(world());
  const visitor = new Visitor(world().url);
  const { cookies } = await visitor.post('/sign-in', { email, password: goodPassword });
  const [session] = cookies.filter((one) => one.includes('session'));
  expect(session).toMatch(
    /^__Host-rostrum-session=[\w-]{43}; Path=\/; Max-Age=\d+; Secure; HttpOnly; SameSite=Lax$/,
  );
  for (const one of cookies) expect(one).toMatch(/^__Host-.*; Path=\/;.*Secure; HttpOnly; SameSite=Lax$/);
  const { rows } = await world().admin.query('select s::text as row from auth.sessions s');
  expect(JSON.stringify(rows)).not.toContain(visitor.session);
  expect(world().logLines.join('')).not.toContain(visitor.session);
  expect(world().logLines.join('')).not.toContain(email);
});

test('a session ends after 12 hours without use, and after 14 days with it', async () => {
  const { visitor } = await newUser(world());
  expect((await at(11 * hour, () => visitor.get('/account'))).status).toBe(200);
  expect((await at(22 * hour, () => visitor.get('/account'))).status).toBe(200);
  expect((await at(35 * hour, () => visitor.get('/account'))).location).toBe('/sign-in');
  const { visitor: busy } = await newUser(world());
  for (let hours = 10; hours < 14 * 24; hours += 10)
    expect((await at(hours * hour, () => busy.get('/account'))).status).toBe(200);
  expect((await at(14 * 24 * hour + 1, () => busy.get('/account'))).location).toBe('/sign-in');
});

test('a user sees their own sessions, and ends each of them', async () => {
  const { email, visitor } = await newUser(world());
  const other = await signedIn(world(), email);
  const list = async () =>
    (
      JSON.parse((await visitor.call('GET', '/account/sessions')).text) as {
        sessions: { session_id: string; current: boolean }[];
      }
    ).sessions;
  expect(new Set((await list()).map(({ current }) => current))).toEqual(new Set([false, true]));
  const theirs = (await list()).find(({ current }) => !current)!;
  expect((await visitor.call('DELETE', `/account/sessions/${theirs.session_id}`)).status).toBe(204);
  expect((await other.get('/account')).location).toBe('/sign-in');
  expect((await visitor.get('/account')).status).toBe(200);
  // By the page itself, too.
  const third = await signedIn(world(), email);
  expect((await visitor.post('/account/sessions/end-others')).status).toBe(303);
  expect((await third.get('/account')).location).toBe('/sign-in');
});

test("nobody ends another's session", async () => {
  const { visitor } = await newUser(world());
  const { visitor: stranger } = await newUser(world());
  const { session_id: id } = JSON.parse((await visitor.call('GET', '/account/session')).text) as {
    session_id: string;
  };
  expect((await stranger.call('DELETE', `/account/sessions/${id}`)).status).toBe(404);
  await stranger.post(`/account/sessions/${id}/end`);
  expect((await visitor.get('/account')).status).toBe(200);
});

test('signing out ends the session, also for whoever copied the cookie', async () => {
  const { visitor } = await newUser(world());
  const copied = visitor.session!;
  const out = await visitor.post('/account/sign-out');
  expect([out.status, out.location, visitor.session]).toEqual([303, '/sign-in', undefined]);
  const thief = new Visitor(world().url);
  thief.jar.set('__Host-rostrum-session', copied);
  expect((await thief.get('/account')).location).toBe('/sign-in');
});

test('a new password needs the current one, and ends every other session', async () => {
  const { email, visitor } = await newUser(world());
  const other = await signedIn(world(), email);
  const before = visitor.session;
  const wrong = await visitor.post('/account/password', {
    current: 'not this one',
    password: 'a better phrase still',
  });
  expect([wrong.status, visitor.session]).toEqual([401, before]);
  const changed = await visitor.post('/account/password', {
    current: goodPassword,
    password: 'a better phrase still',
  });
  expect([changed.status, changed.location]).toEqual([303, '/account']);
  expect(visitor.session).not.toBe(before);
  expect((await visitor.get('/account')).status).toBe(200);
  expect((await other.get('/account')).location).toBe('/sign-in');
  expect((await (await signedIn(world(), email)).get('/account')).location).toBe('/sign-in');
  expect((await (await signedIn(world(), email, 'a better phrase still')).get('/account')).status).toBe(200);
});

test('a password that everybody guesses is refused', async () => {
  const token = await newLink(world(), 'casey.winter@northwind.example');
  for (const password of [
    'short',
    'password123',
    'P@ssw0rd!!!!',
    'Qwertyuiop1',
    '1111111111',
    'aaaaaaaaaaaa',
    'northwind2026!',
    'casey.winter@northwind.example',
    'x'.repeat(201),
  ]) {
    const { status } = await new Visitor(world().url).post(`/link/${token}`, { password });
    expect([password, status]).toEqual([password, 400]);
  }
  expect((await new Visitor(world().url).post(`/link/${token}`, { password: goodPassword })).status).toBe(
    303,
  );
});

test('every change of an account leaves an audit row that names nobody', async () => {
  const { email, visitor } = await newUser(world());
  await visitor.post('/sign-in', { email, password: goodPassword });
  await visitor.post('/account/sign-out');
  const { rows } = await world().admin.query<{ act: string; row: string }>(
    'select a.act, a::text as row from auth.audit_log a join auth.users u on u.id = a.user_id where u.email = $1 order by a.id',
    [email],
  );
  expect(rows.map(({ act }) => act)).toEqual(['account_made', 'signed_in', 'signed_out']);
  expect(JSON.stringify(rows)).not.toContain(email);
});

test('a link that signs in does so once, asks first, and chooses no password', async () => {
  const { email } = await newUser(world());
  const { accountTransaction } = await import('../../src/database/org-transaction.ts');
  const { makeLink } = await import('../../src/domain/accounts/links.ts');
  const { AccountEmail } = await import('../../src/domain/accounts/email.ts');
  const token = await accountTransaction(world().database, 'write', async (db) => {
    const { id } = await db
      .selectFrom('auth.users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    return makeLink(
      db,
      { purpose: 'sign_in', email: AccountEmail.parse(email), userId: id },
      world().clock.now(),
    );
  });
  const visitor = new Visitor(world().url);
  expect((await visitor.get(`/link/${token}`)).text).toContain(email);
  const both = await Promise.all([
    visitor.post(`/link/${token}`, { password: 'a better phrase still' }),
    new Visitor(world().url).post(`/link/${token}`),
  ]);
  expect(both.map(({ status }) => `${status}`).toSorted()).toEqual(['303', '404']);
  expect((await (await signedIn(world(), email)).get('/account')).status).toBe(200);
});
