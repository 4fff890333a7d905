import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeAt, stepAt } from '../../src/domain/accounts/totp.ts';
import { holdPort } from '../../src/main/free-ports.ts';
import { openWorld, type World } from '../support/world.ts';
import { Authenticator, type Said } from './authenticator.ts';
import { secretOfPage } from './totp-app.ts';
import { goodPassword, moveOn, newLink, Visitor, type Answer } from './visitor.ts';

let world: World;
let url: string;
const host = 'localhost';
beforeAll(async () => {
  const held = await holdPort();
  await held.letGo();
  url = `http://${host}:${held.port}`;
  world = await openWorld({ env: { PORT: String(held.port), PUBLIC_URL: url } });
});
afterAll(() => world.close());

let people = 0;

async function newUser(): Promise<{ email: string; visitor: Visitor }> {
  const email = `key${++people}@example.com`;
  const visitor = new Visitor(url);
  await visitor.post(`/link/${await newLink(world, email)}`, { password: goodPassword });
  return { email, visitor };
}

const optionsIn = (page: string): { challenge: string; handle: string } =>
  JSON.parse(/data-options="([^"]+)"/.exec(page)![1]!.replaceAll('&quot;', '"')) as {
    challenge: string;
    handle: string;
  };

async function beginToAdd(visitor: Visitor, more: Record<string, string> = {}) {
  return optionsIn((await visitor.post('/account/passkeys', { current: goodPassword, ...more })).text);
}

const truth = (challenge: string): Said => ({ challenge, origin: url, host });

async function add(visitor: Visitor, key: Authenticator, lie: Partial<Said> = {}): Promise<Answer> {
  const { challenge, handle } = await beginToAdd(visitor);
  key.userHandle = Buffer.from(handle, 'base64url');
  return visitor.post('/account/passkeys/add', key.make({ ...truth(challenge), ...lie }));
}

async function userWithKey(kind?: ConstructorParameters<typeof Authenticator>[0]) {
  const { email, visitor } = await newUser();
  const key = new Authenticator(kind);
  await add(visitor, key);
  return { email, visitor, key };
}

const newChallenge = async (): Promise<string> =>
  (JSON.parse((await new Visitor(url).get('/sign-in/passkey')).text) as { challenge: string }).challenge;

/** Where somebody gets who shows the passkey, or with which status not. */
async function show(key: Authenticator, lie: Partial<Said> = {}): Promise<string | number> {
  const answer = await new Visitor(url).post(
    '/sign-in/passkey',
    key.show({ ...truth(await newChallenge()), ...lie }),
  );
  return answer.location ?? answer.status;
}

test.each(['es256', 'rs256', 'edDsa'] as const)(
  'a passkey (%s) is added with the password and signs in by itself',
  async (kind) => {
    const { email, visitor, key } = await userWithKey(kind);
    expect((await visitor.get('/account')).text).toContain('not used yet');
    const browser = new Visitor(url);
    const shown = await browser.post('/sign-in/passkey', key.show(truth(await newChallenge())));
    expect(shown.location).toBe('/account');
    expect((await browser.get('/account')).text).toContain(email);
  },
);

test('whoever had to sign in first comes back to the page they opened', async () => {
  const { key } = await userWithKey();
  const page = '/o/0198c0de-0000-7000-8000-000000000001/people';
  const browser = new Visitor(url);
  await browser.get(`/sign-in?next=${encodeURIComponent(page)}`);
  await browser.post('/sign-in/passkey', key.show(truth(await newChallenge())));
  expect((await browser.get('/account')).location).toBe(page);
});

test('it counts as both steps, and an account with codes adds one only with a code', async () => {
  const { visitor } = await newUser();
  const begun = await visitor.post('/account/two-steps', { current: goodPassword });
  const secret = secretOfPage(begun.text);
  const next = (): string => {
    moveOn(world, 30_000);
    return codeAt(secret, stepAt(world.clock.now()));
  };
  await visitor.post('/account/two-steps/confirm', { code: next() });
  expect((await visitor.post('/account/passkeys', { current: goodPassword, code: '000000' })).status).toBe(
    401,
  );
  const { challenge, handle } = await beginToAdd(visitor, { code: next() });
  const key = new Authenticator();
  key.userHandle = Buffer.from(handle, 'base64url');
  expect((await visitor.post('/account/passkeys/add', key.make(truth(challenge)))).location).toBe('/account');
  expect(await show(key)).toBe('/account');
});

test('adding one needs the password, rotates the session and ends the others', async () => {
  const { email, visitor } = await newUser();
  expect((await visitor.post('/account/passkeys', { current: 'not this one' })).status).toBe(401);
  const other = new Visitor(url);
  await other.post('/sign-in', { email, password: goodPassword });
  const before = visitor.session;
  expect((await add(visitor, new Authenticator())).location).toBe('/account');
  expect(visitor.session).not.toBe(before);
  expect((await other.get('/account')).location).toBe('/sign-in');
});

test('one is named and removed by its owner alone, and then signs nobody in', async () => {
  const { visitor, key } = await userWithKey();
  const [, path = ''] =
    /href="(\/account\/passkeys\/[^"]+)"/.exec((await visitor.get('/account')).text) ?? [];
  const { visitor: other } = await newUser();
  expect((await other.get(path)).status).toBe(404);
  expect((await other.post(`${path}/name`, { name: 'Mine' })).status).toBe(404);
  expect((await other.post(`${path}/remove`, { current: goodPassword })).status).toBe(404);
  await visitor.post(`${path}/name`, { name: '<b>Laptop</b>' });
  expect((await visitor.get('/account')).text).toContain('&lt;b&gt;Laptop&lt;/b&gt;');
  expect((await visitor.post(`${path}/remove`, { current: 'not this one' })).status).toBe(401);
  expect(await show(key)).toBe('/account');
  expect((await visitor.post(`${path}/remove`, { current: goodPassword })).location).toBe('/account');
  expect(await show(key)).toBe(401);
});

test('challenge replay: what was signed once signs in once, also at once', async () => {
  const { key } = await userWithKey();
  const fields = key.show(truth(await newChallenge()));
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => new Visitor(url).post('/sign-in/passkey', fields)),
  );
  expect(answers.map(({ status }) => `${status}`).toSorted()).toEqual(['303', '401', '401', '401']);
});

test('challenge replay: one that is over, made up, changed, or for another purpose is refused', async () => {
  const { visitor, key } = await userWithKey();
  const old = await newChallenge();
  const back = moveOn(world, 300_001);
  expect(await show(key, { challenge: old })).toBe(401);
  back();
  expect(await show(key, { challenge: Buffer.alloc(56, 7).toString('base64url') })).toBe(401);
  const changed = Buffer.from(await newChallenge(), 'base64url');
  changed[20]! ^= 1;
  expect(await show(key, { challenge: changed.toString('base64url') })).toBe(401);
  const { challenge: forAdding } = await beginToAdd(visitor);
  expect(await show(key, { challenge: forAdding })).toBe(401);
  expect(await show(key)).toBe('/account');
});

test("a passkey is not added by another session's challenge, by one for signing in, or twice by one", async () => {
  const { visitor: attacker } = await newUser();
  const { visitor } = await newUser();
  const { challenge: foreign } = await beginToAdd(attacker);
  for (const challenge of [foreign, await newChallenge()])
    expect(
      (await visitor.post('/account/passkeys/add', new Authenticator().make(truth(challenge)))).status,
    ).toBe(400);
  const { challenge } = await beginToAdd(visitor);
  const add = () => visitor.post('/account/passkeys/add', new Authenticator().make(truth(challenge)));
  expect([(await add()).status, (await add()).status]).toEqual([303, 400]);
});

const lies: readonly (readonly [name: string, lie: Partial<Said>])[] = [
  ['another origin', { origin: 'http://evil.localhost' }],
  ['the same host over another port', { origin: 'http://localhost:1' }],
  ['a frame of another site', { crossOrigin: true }],
  ['another RP id', { host: 'evil.example' }],
  ['missing user verification', { flags: 0x41 }],
  ['nobody there', { flags: 0x44 }],
  ['another ceremony', { type: 'payment.get' }],
];

test.each(lies)('%s signs nobody in, and adds no passkey', async (_name, lie) => {
  const { visitor, key } = await userWithKey();
  const { flags } = lie;
  expect(await show(key, { ...lie, ...(flags !== undefined && { flags: flags & 5 }) })).toBe(401);
  expect((await add(visitor, new Authenticator(), lie)).status).toBe(400);
  expect(await show(key)).toBe('/account');
});

test('a counter that goes back or stands still is a copy, and refused', async () => {
  const { key } = await userWithKey();
  key.counter = 7;
  expect(await show(key)).toBe('/account');
  expect(await show(key)).toBe(401);
  key.counter = 6;
  expect(await show(key)).toBe(401);
  key.counter = 0;
  expect(await show(key)).toBe(401);
  key.counter = 8;
  expect(await show(key)).toBe('/account');
});

test("a credential of another user: neither their id, their handle nor somebody's own key helps", async () => {
  const { key: victim } = await userWithKey();
  const { visitor, key } = await userWithKey();
  const said = truth(await newChallenge());
  const own = key.show(said);
  const post = async (fields: Record<string, string>) =>
    (await new Visitor(url).post('/sign-in/passkey', fields)).status;
  const theirs = {
    credential_id: victim.credentialId.toString('base64url'),
    user_handle: victim.userHandle.toString('base64url'),
  };
  expect(await post({ ...own, credential_id: theirs.credential_id })).toBe(401);
  expect(await post({ ...own, user_handle: theirs.user_handle })).toBe(401);
  expect(await post({ ...own, ...theirs })).toBe(401);
  expect(await post({ ...own, user_handle: '' })).toBe(401);
  // A credential that is somebody's cannot be registered again under another account.
  const copy = new Authenticator();
  victim.credentialId.copy(copy.credentialId);
  expect((await add(visitor, copy)).status).toBe(400);
  expect(await show(victim)).toBe('/account');
});

test('a key of a kind that was not asked for is not added', async () => {
  const { visitor } = await newUser();
  const { generateKeyPairSync } = await import('node:crypto');
  for (const { publicKey } of [
    generateKeyPairSync('ec', { namedCurve: 'secp256k1' }),
    generateKeyPairSync('rsa', { modulusLength: 1024 }),
    generateKeyPairSync('x25519'),
  ]) {
    const { challenge } = await beginToAdd(visitor);
    const fields = new Authenticator().make(truth(challenge));
    const spki = publicKey.export({ format: 'der', type: 'spki' }).toString('base64url');
    expect((await visitor.post('/account/passkeys/add', { ...fields, public_key: spki })).status).toBe(400);
  }
});
