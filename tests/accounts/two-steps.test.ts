import { expect, test } from 'vitest';
import { codeAt, stepAt } from '../../src/domain/accounts/totp.ts';
import { useWorld } from '../support/world.ts';
import { secretOfPage } from './totp-app.ts';
import { goodPassword, moveOn, newLink, newUser, Visitor } from './visitor.ts';

const world = useWorld();

/** An authenticator app. Each call is a period later, because a code is good once. */
class App {
  readonly #secret: Buffer;

  constructor(page: string) {
    this.#secret = secretOfPage(page);
  }

  now = (): string => codeAt(this.#secret, stepAt(world().clock.now()));

  next = (): string => {
    moveOn(world(), 30_000);
    return this.now();
  };
}

async function userWithApp() {
  const { email, visitor } = await newUser(world());
  const begun = await visitor.post('/account/two-steps', { current: goodPassword });
  const app = new App(begun.text);
  const on = await visitor.post('/account/two-steps/confirm', { code: app.next() });
  const codes = Array.from(on.text.matchAll(/<li>([A-Z2-7-]{19})<\/li>/g), ([, code]) => code!);
  return { email, visitor, app, codes, begun, on };
}

test('RFC 6238 gives these codes for its example secret', () => {
  const secret = Buffer.from('12345678901234567890');
  for (const [seconds, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ] as const)
    expect(codeAt(secret, stepAt(new Date(seconds * 1000)))).toBe(code);
});

test('an app is set up with the password and a code, and gives ten recovery codes once', async () => {
  const { visitor } = await newUser(world());
  expect((await visitor.post('/account/two-steps', { current: 'not this one' })).status).toBe(401);
  const { begun, on, codes, visitor: user } = await userWithApp();
  expect(begun.text).toContain('class="qr"');
  expect([on.status, new Set(codes).size]).toEqual([200, 10]);
  expect((await user.get('/account')).text).toContain('10 recovery codes are left');
  const { rows } = await world().admin.query(
    'select u::text, r::text from auth.users u, auth.recovery_codes r',
  );
  expect(JSON.stringify(rows)).not.toContain(codes[0]!.replaceAll('-', ''));
});

test('then the password alone lets nobody in: a session that awaits a code reaches nothing', async () => {
  const { email, app } = await userWithApp();
  const visitor = new Visitor(world().url);
  const first = await visitor.post('/sign-in', { email, password: goodPassword });
  expect(first.location).toBe('/sign-in/code');
  expect((await visitor.get('/account')).location).toBe('/sign-in');
  expect((await visitor.call('GET', '/account/session')).status).toBe(401);
  expect(
    (await visitor.post('/account/password', { current: goodPassword, password: 'a better phrase still' }))
      .location,
  ).toBe('/sign-in');
  const waiting = visitor.session;
  expect((await visitor.post('/sign-in/code', { code: '000000' })).status).toBe(401);
  expect((await visitor.post('/sign-in/code', { code: app.next() })).location).toBe('/account');
  expect(visitor.session).not.toBe(waiting);
  expect((await visitor.get('/account')).status).toBe(200);
});

test('a code is good once, and not before its time or long after', async () => {
  const { email, app } = await userWithApp();
  const [one, two, three] = [new Visitor(world().url), new Visitor(world().url), new Visitor(world().url)];
  for (const visitor of [one, two, three]) await visitor.post('/sign-in', { email, password: goodPassword });
  const code = app.next();
  expect((await one.post('/sign-in/code', { code })).status).toBe(303);
  expect((await two.post('/sign-in/code', { code })).status).toBe(401);
  app.next();
  app.next();
  const old = app.now();
  app.next();
  app.next();
  expect((await three.post('/sign-in/code', { code: old })).status).toBe(401);
});

test('a code that comes twice at once is taken once', async () => {
  const { email, app } = await userWithApp();
  const visitors = Array.from({ length: 6 }, () => new Visitor(world().url));
  for (const visitor of visitors) await visitor.post('/sign-in', { email, password: goodPassword });
  const code = app.next();
  const answers = await Promise.all(visitors.map((visitor) => visitor.post('/sign-in/code', { code })));
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
});

test('a recovery code lets in once, however it is typed', async () => {
  const { email, codes } = await userWithApp();
  const [one, two] = [new Visitor(world().url), new Visitor(world().url)];
  for (const visitor of [one, two]) await visitor.post('/sign-in', { email, password: goodPassword });
  const typed = codes[3]!.toLowerCase().replaceAll('-', ' ');
  expect((await one.post('/sign-in/code', { code: typed })).location).toBe('/account');
  expect((await two.post('/sign-in/code', { code: codes[3]! })).status).toBe(401);
  expect((await one.get('/account')).text).toContain('9 recovery codes are left');
});

test('turning it on, off and replacing codes rotates the session and ends the others', async () => {
  const { email, visitor, app, codes } = await userWithApp();
  const other = new Visitor(world().url);
  await other.post('/sign-in', { email, password: goodPassword });
  await other.post('/sign-in/code', { code: app.next() });
  expect((await other.get('/account')).status).toBe(200);
  const before = visitor.session;
  expect(
    (await visitor.post('/account/two-steps/codes', { current: goodPassword, code: '000000' })).status,
  ).toBe(401);
  expect(
    (await visitor.post('/account/two-steps/codes', { current: 'not this one', code: app.next() })).status,
  ).toBe(401);
  const renewed = await visitor.post('/account/two-steps/codes', { current: goodPassword, code: app.next() });
  expect([renewed.status, renewed.text.includes(codes[0]!)]).toEqual([200, false]);
  expect(visitor.session).not.toBe(before);
  expect((await other.get('/account')).location).toBe('/sign-in');
  const middle = visitor.session;
  expect(
    (await visitor.post('/account/two-steps/off', { current: goodPassword, code: app.next() })).location,
  ).toBe('/account');
  expect(visitor.session).not.toBe(middle);
  const plain = new Visitor(world().url);
  expect((await plain.post('/sign-in', { email, password: goodPassword })).location).toBe('/account');
});

test('a new password by mail still asks for the code', async () => {
  const { email, app } = await userWithApp();
  const visitor = new Visitor(world().url);
  const link = await newLink(world(), email);
  expect((await visitor.post(`/link/${link}`, { password: 'a better phrase still' })).location).toBe(
    '/sign-in/code',
  );
  expect((await visitor.get('/account')).location).toBe('/sign-in');
  expect((await visitor.post('/sign-in/code', { code: app.next() })).location).toBe('/account');
});

test('codes are guessed ten times a day, and the owner gets in all the same', async () => {
  const { email, visitor: owner, app } = await userWithApp();
  await owner.post('/account/sign-out');
  const thief = new Visitor(world().url);
  await thief.post('/sign-in', { email, password: goodPassword });
  const guesses = [];
  for (let guess = 0; guess < 12; guess++)
    guesses.push((await thief.post('/sign-in/code', { code: '000000' })).status);
  expect(guesses.filter((status) => status === 401)).toHaveLength(10);
  expect(guesses.slice(10)).toEqual([429, 429]);
  // A right one is not looked at either.
  expect((await thief.post('/sign-in/code', { code: app.next() })).status).toBe(429);
  await owner.post('/sign-in', { email, password: goodPassword });
  expect((await owner.post('/sign-in/code', { code: app.next() })).location).toBe('/account');
});
