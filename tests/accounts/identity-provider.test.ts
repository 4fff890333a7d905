import { afterAll, beforeAll, expect, test } from 'vitest';
import { holdPort } from '../../src/main/free-ports.ts';
import { openWorld, type World } from '../support/world.ts';
import { client, startProvider, type RealProvider } from './oidc-servers.ts';
import { goodPassword, moveOn, newLink, newUser, signedIn, Visitor } from './visitor.ts';

let provider: RealProvider;
let world: World;
beforeAll(async () => {
  const held = await holdPort();
  await held.letGo();
  const url = `http://127.0.0.1:${held.port}`;
  provider = await startProvider(`${url}/sign-in/with/callback`);
  world = await openWorld({
    env: {
      PORT: String(held.port),
      PUBLIC_URL: url,
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: client.id,
      OIDC_CLIENT_SECRET: client.secret,
      OIDC_NAME: 'Northwind',
    },
  });
});
afterAll(async () => {
  await world.close();
  await provider.close();
});

/** What the provider answers to a browser that comes with this address: where it sends it back to. */
async function throughProvider(address: string): Promise<string> {
  const there = new Visitor(provider.issuer);
  let next = address;
  while (next.startsWith(provider.issuer)) {
    const { location } = await there.get(next.slice(provider.issuer.length));
    next = new URL(location!, provider.issuer).href;
  }
  return next.slice(world.url.length);
}

const begin = async (visitor: Visitor): Promise<string> =>
  (await visitor.get('/sign-in/with', { 'sec-fetch-site': 'same-origin' })).location!;

async function signInWith(visitor = new Visitor(world.url)) {
  const back = await throughProvider(await begin(visitor));
  return visitor.get(back, { 'sec-fetch-site': 'cross-site' });
}

const someone = (sub: string, verified = true) => ({
  sub,
  email: `${sub}@northwind.example`,
  email_verified: verified,
});

const asked = (sub: string) => newLink(world, `${sub}@northwind.example`);

test('whoever was asked in signs in with the provider: the account is made, and found again', async () => {
  provider.who = someone('ada');
  await asked('ada');
  const visitor = new Visitor(world.url);
  expect((await visitor.get('/sign-in')).text).toContain('Continue with Northwind');
  expect((await signInWith(visitor)).location).toBe('/account');
  const { text } = await visitor.get('/account');
  expect(text).toContain('ada@northwind.example');
  expect(text).toContain('Send a link to choose one');
  // Another address at the provider, the same subject: the same account.
  provider.who = { ...someone('ada'), email: 'ada.married@northwind.example' };
  const again = new Visitor(world.url);
  expect((await signInWith(again)).location).toBe('/account');
  expect((await again.get('/account')).text).toContain('ada@northwind.example');
});

test('whoever had to sign in first comes back to the page they opened', async () => {
  provider.who = someone('back');
  await asked('back');
  const page = '/o/0198c0de-0000-7000-8000-000000000001/people';
  const visitor = new Visitor(world.url);
  await visitor.get(`/sign-in?next=${encodeURIComponent(page)}`);
  await signInWith(visitor);
  expect((await visitor.get('/account')).location).toBe(page);
});

test('an account without a password lets nobody in by one, and its owner chooses one by mail', async () => {
  provider.who = someone('bea');
  await asked('bea');
  await signInWith();
  for (const password of ['', 'null', 'undefined', goodPassword])
    expect(
      (await new Visitor(world.url).post('/sign-in', { email: 'bea@northwind.example', password })).status,
    ).toBe(401);
  await new Visitor(world.url).post(`/link/${await asked('bea')}`, { password: goodPassword });
  const visitor = await signedIn(world, 'bea@northwind.example');
  expect((await visitor.get('/account')).text).toContain('Unlink Northwind');
});

test('nobody is let in who was not asked, or for whose address the provider does not vouch', async () => {
  provider.who = someone('stranger');
  expect((await signInWith()).status).toBe(403);
  await asked('shy');
  provider.who = someone('shy', false);
  expect((await signInWith()).status).toBe(403);
  await asked('late');
  provider.who = someone('late');
  const back = moveOn(world, 4 * 86_400_000);
  expect((await signInWith()).status).toBe(403);
  back();
  const { rows } = await world.admin.query("select 1 from auth.users where email ~ '^(stranger|shy|late)@'");
  expect(rows).toEqual([]);
});

test('an address that has an account is not taken over: its owner signs in first, and links it', async () => {
  const { email, visitor } = await newUser(world);
  provider.who = { sub: 'taker', email, email_verified: true };
  const taker = new Visitor(world.url);
  const refused = await signInWith(taker);
  expect([refused.status, taker.session]).toEqual([403, undefined]);
  expect(refused.text).toContain('has an account here');
  // The owner proves it by the password, and goes to the provider from there.
  expect((await visitor.post('/account/provider', { current: 'not this one' })).status).toBe(401);
  const before = visitor.session;
  const page = await visitor.post('/account/provider', { current: goodPassword });
  const [, go = ''] = /class="button primary" href="([^"]+)"/.exec(page.text) ?? [];
  const linked = await visitor.get(await throughProvider(go.replaceAll('&amp;', '&')));
  expect(linked.location).toBe('/account');
  expect(visitor.session).not.toBe(before);
  const other = new Visitor(world.url);
  expect((await signInWith(other)).location).toBe('/account');
  expect((await other.get('/account')).text).toContain(email);
  // And takes it back.
  await visitor.post('/sign-in', { email, password: goodPassword });
  expect((await visitor.post('/account/provider/unlink', { current: goodPassword })).location).toBe(
    '/account',
  );
  expect((await signInWith()).status).toBe(403);
});

test('the second step of an account is asked for all the same', async () => {
  provider.who = someone('cod');
  await asked('cod');
  await signInWith();
  await world.admin.query(
    "update auth.users set totp_secret = 'x', totp_since = now() where email = 'cod@northwind.example'",
  );
  const visitor = new Visitor(world.url);
  expect((await signInWith(visitor)).location).toBe('/sign-in/code');
  expect((await visitor.get('/account')).location).toBe('/sign-in');
});

test("login CSRF: an attacker's way back is worth nothing in another browser", async () => {
  provider.who = someone('eve');
  await asked('eve');
  const attacker = new Visitor(world.url);
  const back = await throughProvider(await begin(attacker));
  // A browser that began nothing, and one that began its own.
  const victim = new Visitor(world.url);
  expect((await victim.get(back)).status).toBe(401);
  await begin(victim);
  expect((await victim.get(back)).status).toBe(401);
  expect(victim.session).toBeUndefined();
});

test("an attacker's code in the victim's own flow: the provider does not honour it without the attacker's verifier", async () => {
  provider.who = someone('fay');
  await asked('fay');
  const back = await throughProvider(await begin(new Visitor(world.url)));
  const victim = new Visitor(world.url);
  const state = new URL(await begin(victim)).searchParams.get('state')!;
  const injected = new URLSearchParams(back.slice(back.indexOf('?')));
  injected.set('state', state);
  expect((await victim.get(`/sign-in/with/callback?${injected.toString()}`)).status).toBe(401);
});

test('mix-up: an answer that names another issuer, or none, is refused', async () => {
  provider.who = someone('gus');
  await asked('gus');
  for (const iss of ['https://evil.example', undefined]) {
    const visitor = new Visitor(world.url);
    const back = new URL(await throughProvider(await begin(visitor)), world.url);
    if (iss === undefined) back.searchParams.delete('iss');
    else back.searchParams.set('iss', iss);
    expect((await visitor.get(back.pathname + back.search)).status).toBe(401);
  }
});

test('a way back works once, and for ten minutes', async () => {
  provider.who = someone('hal');
  await asked('hal');
  const visitor = new Visitor(world.url);
  const back = await throughProvider(await begin(visitor));
  const flow = visitor.jar.get('__Host-rostrum-provider')!;
  expect((await visitor.get(back)).location).toBe('/account');
  const copy = new Visitor(world.url);
  copy.jar.set('__Host-rostrum-provider', flow);
  expect((await copy.get(back)).status).toBe(401);
  const late = new Visitor(world.url);
  const lateBack = await throughProvider(await begin(late));
  const undo = moveOn(world, 600_001);
  expect((await late.get(lateBack)).status).toBe(401);
  undo();
});

test("a flow that links is bound to its session: it links nothing to another's account, and signs nobody in", async () => {
  provider.who = someone('ida');
  const { visitor: attacker } = await newUser(world);
  const page = await attacker.post('/account/provider', { current: goodPassword });
  const [, go = ''] = /class="button primary" href="([^"]+)"/.exec(page.text) ?? [];
  const back = await throughProvider(go.replaceAll('&amp;', '&'));
  const { visitor: victim } = await newUser(world);
  victim.jar.set('__Host-rostrum-provider', attacker.jar.get('__Host-rostrum-provider')!);
  expect((await victim.get(back)).status).toBe(401);
  const { rows } = await world.admin.query("select 1 from auth.identities where subject = 'ida'");
  expect(rows).toEqual([]);
});

test('a page of somebody else starts no sign-in', async () => {
  for (const site of ['cross-site', 'same-site', 'none'])
    expect((await new Visitor(world.url).get('/sign-in/with', { 'sec-fetch-site': site })).location).toBe(
      '/sign-in',
    );
});

test('neither codes nor addresses are in the log', () => {
  const log = world.logLines.join('');
  expect(log).not.toContain('northwind.example');
  expect(log).not.toMatch(/code=|state=/);
});
