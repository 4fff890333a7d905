import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openWorld, type World } from '../support/world.ts';
import { client, newKey, startCrook } from './oidc-servers.ts';
import { moveOn, newLink, Visitor } from './visitor.ts';

let crook: Awaited<ReturnType<typeof startCrook>>;
let world: World;
beforeAll(async () => {
  crook = await startCrook();
  world = await openWorld({
    env: { OIDC_ISSUER: crook.issuer, OIDC_CLIENT_ID: client.id, OIDC_CLIENT_SECRET: client.secret },
  });
  await newLink(world, 'victim@example.com');
});
afterAll(async () => {
  await world.close();
  await crook.close();
});
beforeEach(() => {
  moveOn(world, 60_000);
});

/** The status of coming back with an id token of these claims. */
async function comeBack(claims: Record<string, unknown>, given: Partial<typeof crook> = {}): Promise<number> {
  const visitor = new Visitor(world.url);
  const { location } = await visitor.get('/sign-in/with', { 'sec-fetch-site': 'same-origin' });
  const asked = new URL(location!).searchParams;
  const usual = { key: crook.key, header: crook.header };
  Object.assign(crook, given, {
    claims: {
      nonce: asked.get('nonce'),
      email: 'victim@example.com',
      email_verified: true,
      ...claims,
    },
  });
  const back = new URLSearchParams({ code: 'x', state: asked.get('state')!, iss: crook.issuer });
  const { status } = await visitor.get(`/sign-in/with/callback?${back.toString()}`);
  Object.assign(crook, usual);
  return status;
}

const nobodyNew = async () => expect((await world.admin.query('select 1 from auth.users')).rows).toEqual([]);

test.each([
  ['of another issuer', { iss: 'https://evil.example' }],
  ['for another client', { aud: 'another' }],
  ['for several clients, and another asked', { aud: [client.id, 'another'], azp: 'another' }],
  ['of another sign-in (nonce)', { nonce: 'of another' }],
  ['without a nonce', { nonce: undefined }],
  ['that is over', { exp: 1_700_000_000 }],
  ['without a subject', { sub: undefined }],
])('an id token %s is refused', async (_name, claims) => {
  expect(await comeBack(claims)).toBe(401);
  await nobodyNew();
});

test('an id token signed by another key, or by none, is refused', async () => {
  expect(await comeBack({}, { key: newKey() })).toBe(401);
  expect(await comeBack({}, { header: { alg: 'none' } })).toBe(401);
  await nobodyNew();
});

test('an address is verified if the provider says so by true, not by a word', async () => {
  expect(await comeBack({ email_verified: 'true' })).toBe(403);
  expect(await comeBack({ email_verified: undefined })).toBe(403);
  await nobodyNew();
});

test('a provider that is away leaves the other ways open', async () => {
  const away = await openWorld({ env: { OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'x' } });
  const visitor = new Visitor(away.url);
  expect((await visitor.get('/sign-in/with', { 'sec-fetch-site': 'same-origin' })).status).toBe(502);
  expect((await visitor.get('/sign-in')).status).toBe(200);
  await away.close();
});

test('what it says rightly is believed', async () => {
  expect(await comeBack({})).toBe(303);
});
