import { expect, onTestFinished, test } from 'vitest';
import { newToken } from '../../src/domain/accounts/token.ts';
import { contentsOf } from '../support/org-contents.ts';
import { newMember, type TestMember } from '../support/member.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const foreign: readonly (readonly [name: string, headers: Record<string, string>])[] = [
  ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
  ['another host of the same domain', { 'sec-fetch-site': 'same-site', origin: 'http://evil.127.0.0.1' }],
  ['a page that hides its origin', { 'sec-fetch-site': 'cross-site', origin: 'null' }],
  ['an address that was typed', { 'sec-fetch-site': 'none' }],
  ['a browser that says only the origin', { 'sec-fetch-site': '' }],
  ['one that lies about the site alone', { origin: 'https://evil.example' }],
  ['one that says no origin', { origin: '' }],
];

const calls = (person: string): [route: string, body?: object][] => [
  ['POST /v1/people/identify', { email: 'evil@example.com' }],
  [`DELETE /v1/people/${person}`],
  ['POST /v1/api-keys', { name: 'Evil' }],
  ['POST /v1/invitations', { email: 'evil@example.com', role: 'owner' }],
  ['POST /v1/me/leave', {}],
];

async function ground(): Promise<{ member: TestMember; person: string }> {
  const org = await world().newOrg();
  await newMember(world(), org, 'owner');
  const person = await org.person({ email: 'ada@example.com' });
  return { member: await newMember(world(), org, 'owner'), person };
}

test.each(foreign)(
  'CSRF by fetch on /v1: nothing is done and nothing told for %s',
  async (_name, headers) => {
    const { member, person } = await ground();
    const before = await contentsOf(world().admin, member);
    for (const [route, body] of calls(person))
      expect([route, (await member.rest(route, body, headers)).status]).toEqual([route, 403]);
    const reads = 'sec-fetch-site' in headers ? headers : { ...headers, origin: headers['origin'] || 'null' };
    const read = await member.rest(`GET /v1/people/${person}`, undefined, reads);
    expect([read.status, read.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    expect(await contentsOf(world().admin, member)).toEqual(before);
  },
);

test('CSRF by form on /v1: a form cannot say Auth-Type, and is nobody', async () => {
  const { member, person } = await ground();
  const before = await contentsOf(world().admin, member);
  for (const [route] of calls(person)) {
    const [, path] = route.split(' ');
    for (const site of ['cross-site', 'same-site', 'same-origin'])
      for (const type of [
        'application/x-www-form-urlencoded',
        'text/plain',
        'multipart/form-data; boundary=x',
      ]) {
        const { status } = await fetch(world().url + path!, {
          method: 'POST',
          body: '{"email":"evil@example.com","x":"="}',
          headers: {
            cookie: `__Host-rostrum-session=${member.user.token}`,
            'sec-fetch-site': site,
            origin: world().url,
            'content-type': type,
          },
        });
        expect([path, site, status]).toEqual([path, site, route.startsWith('DELETE') ? 404 : 401]);
      }
  }
  expect(await contentsOf(world().admin, member)).toEqual(before);
});

test('no page of another origin is allowed to ask whether it may call', async () => {
  const answer = await fetch(`${world().url}/v1/people`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://evil.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'auth-type,rostrum-organization',
    },
  });
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([404, null]);
});

test('a cookie without __Host-, in other letters, or there twice lets nobody call', async () => {
  const { member } = await ground();
  const { token } = member.user;
  for (const cookie of [
    `rostrum-session=${token}`,
    `__Secure-rostrum-session=${token}`,
    `__host-rostrum-session=${token}`,
    `x__Host-rostrum-session=${token}`,
    `__Host-rostrum-session=${token}; __Host-rostrum-session=${newToken()}`,
  ])
    expect([cookie, (await member.rest('GET /v1/people', undefined, { cookie })).status]).toEqual([
      cookie,
      401,
    ]);
  expect((await member.rest('GET /v1/people')).status).toBe(200);
});

test('a session beside a key is neither', async () => {
  const { member } = await ground();
  const org = await world().newOrg();
  expect((await member.rest('GET /v1/me', undefined, { authorization: org.secret })).status).toBe(401);
});

test('AUT-018 a key stays in its organization, whatever the header names', async () => {
  const [org, other] = [await world().newOrg(), await world().newOrg()];
  const { body } = await org.rest('GET /v1/me', undefined, { 'rostrum-organization': other.id });
  expect(body.organization.org_id).toBe(org.id);
});

test.each([
  ['ended', 'delete from auth.sessions where user_id = $1'],
  ['over', 'update auth.sessions set ends_at = now() where user_id = $1'],
  ['long unused', "update auth.sessions set used_at = now() - interval '13 hours' where user_id = $1"],
  ['waiting for a code', 'update auth.sessions set awaits_code = true where user_id = $1'],
])('a session that is %s lets nobody call within a second', async (_name, change) => {
  const { member } = await ground();
  const read = async () => (await member.rest('GET /v1/people')).status;
  expect(await read()).toBe(200);
  await world().admin.query(change, [member.user.userId]);
  const since = performance.now();
  await expect.poll(read, { interval: 50, timeout: 5_000 }).toBe(401);
  expect(performance.now() - since).toBeLessThan(1_000);
});

test('made-up sessions are looked up some times a minute', async () => {
  const { member } = await ground();
  const guess = async () =>
    (await member.rest('GET /v1/people', undefined, { cookie: `__Host-rostrum-session=${newToken()}` }))
      .status;
  expect((await member.rest('GET /v1/people')).status).toBe(200);
  const moment = new Date();
  world().clock.now = () => moment; // all of it within one minute
  onTestFinished(() => void (world().clock.now = () => new Date()));
  const statuses = new Set<number>();
  for (let n = 0; n < world().config.UNKNOWN_KEYS_PER_MINUTE + 3; n++) statuses.add(await guess());
  expect(statuses).toEqual(new Set([401, 429]));
  expect((await member.rest('GET /v1/people')).status).toBe(200);
});
