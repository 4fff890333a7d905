import { expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { codeOfPage } from './totp-app.ts';
import { goodPassword, moveOn, newLink, newUser, Visitor, type Answer } from './visitor.ts';

const world = useWorld();
const page = '/o/0198c0de-0000-7000-8000-000000000001/people?mrr_gte=20&find=a%40example.com';
const askFor = (visitor: Visitor, next: string): Promise<Answer> =>
  visitor.get(`/sign-in?next=${encodeURIComponent(next)}`);

/** Where somebody gets who is signed in now, and comes to their account next. */
const arrival = async (visitor: Visitor): Promise<string | null> => (await visitor.get('/account')).location;

test('whoever had to sign in first comes back to the page they opened, once', async () => {
  const { email } = await newUser(world());
  const visitor = new Visitor(world().url);
  expect((await askFor(visitor, page)).status).toBe(200);
  await visitor.post('/sign-in', { email, password: 'not this one' });
  await visitor.post('/sign-in', { email, password: goodPassword });
  expect(await arrival(visitor)).toBe(page);
  expect(await arrival(visitor)).toBe(null);
  expect((await askFor(visitor, page)).location).toBe(page);
  expect(world().logLines.join('')).not.toContain('a%40example.com');
});

test('so does whoever has two steps, and whoever comes by a link', async () => {
  const { email, visitor } = await newUser(world());
  const begun = await visitor.post('/account/two-steps', { current: goodPassword });
  const code = (): string => {
    moveOn(world(), 30_000);
    return codeOfPage(begun.text, world().clock.now());
  };
  await visitor.post('/account/two-steps/confirm', { code: code() });
  const other = new Visitor(world().url);
  await askFor(other, page);
  expect((await other.post('/sign-in', { email, password: goodPassword })).location).toBe('/sign-in/code');
  expect((await askFor(other, page)).location).toBe('/sign-in/code');
  await other.post('/sign-in/code', { code: code() });
  expect(await arrival(other)).toBe(page);

  const invited = new Visitor(world().url);
  await askFor(invited, page);
  await invited.post(`/link/${await newLink(world(), 'linked@example.com')}`, { password: goodPassword });
  expect(await arrival(invited)).toBe(page);
});

const org = '/o/0198c0de-0000-7000-8000-000000000001';
test.each([
  'https://evil.example/',
  '//evil.example/o/',
  '/\\evil.example',
  '/%5Cevil.example',
  '/o//evil.example',
  '/o/../..//evil.example',
  `${org}/../../../sign-up`,
  `${org}/%2e%2e/%2e%2e/oauth/authorize`,
  `${org}//evil.example`,
  `${org}/people\\..\\`,
  `${org}/people?a=b c`,
  `${org}/people?a=\r\nSet-Cookie: a=b`,
  `${org}/people#x`,
  `${org}/people?${'a'.repeat(3_000)}`,
  '/account/sign-out',
  '/oauth/authorize?client_id=x',
  'javascript:alert(1)',
  '',
])('nobody is sent on to what is no page of the dashboard, case %#', async (next) => {
  const { email, visitor: known } = await newUser(world());
  expect((await askFor(known, next)).location).toBe('/account');
  const visitor = new Visitor(world().url);
  expect((await askFor(visitor, next)).cookies).toEqual([]);
  const kept = Buffer.from(next).toString('base64url');
  if (!next.startsWith('/oauth/')) visitor.jar.set('__Host-rostrum-next', kept);
  await visitor.post('/sign-in', { email, password: goodPassword });
  expect((await visitor.get('/account')).status).toBe(200);
});
