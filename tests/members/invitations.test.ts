import { afterAll, beforeAll, expect, test } from 'vitest';
import { Visitor } from '../accounts/visitor.ts';
import { auditOf } from '../support/audit.ts';
import { newMember, newSignedIn, type SignedInUser, type TestMember } from '../support/member.ts';
import { startMailServer, type MailServer } from '../support/mail-server.ts';
import { openWorld, type World } from '../support/world.ts';

let mail: MailServer;
let opened: World;
const world = (): World => opened;
beforeAll(async () => {
  mail = await startMailServer();
  opened = await openWorld({ env: { SMTP_URL: `${mail.url}?tls=off` } });
});
afterAll(async () => {
  await opened.close();
  await mail.close();
});

let addresses = 0;
const newAddress = (): string => `invited${++addresses}@example.com`;

async function invite(
  by: TestMember,
  email: string,
  role = 'editor',
): Promise<{ id: string; token: string }> {
  const sent = () => mail.mails.filter(({ to }) => to === email);
  const before = sent().length;
  const { body, status } = await by.rest('POST /v1/invitations', { email, role });
  expect(status).toBe(201);
  await expect.poll(() => sent().length, { timeout: 10_000 }).toBe(before + 1);
  const text = sent().at(-1)!.body.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  const [, token = ''] = /\/invitation\/([\w-]{43})/.exec(text) ?? [];
  return { id: body.invitation.invitation_id, token };
}

function browserOf(user: SignedInUser): Visitor {
  const visitor = new Visitor(world().url);
  visitor.jar.set('__Host-rostrum-session', user.token);
  return visitor;
}

const membersOf = async (by: TestMember): Promise<{ email: string; role: string }[]> =>
  (await by.rest('GET /v1/members')).body.members;

test('who is invited gets a link, accepts it once, and is a member', async () => {
  const org = await world().newOrg();
  const owner = await newMember(world(), org, 'owner');
  const user = await newSignedIn(world(), newAddress());
  const { id, token } = await invite(owner, user.email, 'sender');
  expect((await owner.rest('GET /v1/invitations')).body.invitations).toMatchObject([
    { invitation_id: id, email: user.email, role: 'sender', invited_by: owner.user.userId },
  ]);
  const browser = browserOf(user);
  expect((await browser.get(`/invitation/${token}`)).text).toContain('A test organization');
  expect((await browser.post(`/invitation/${token}`)).location).toBe('/account');
  expect(await membersOf(owner)).toContainEqual(
    expect.objectContaining({ email: user.email, role: 'sender' }),
  );
  expect((await owner.rest('GET /v1/invitations')).body.invitations).toEqual([]);
  expect(await auditOf(world(), org, 'accept_invitation')).toMatchObject([
    { ids: { invitation_id: id, user_id: user.userId }, actor_id: user.userId },
  ]);
});

test('invitation replay: a link that was used, taken back, replaced or is too old leads nowhere', async () => {
  const org = await world().newOrg();
  const owner = await newMember(world(), org, 'owner');
  const user = await newSignedIn(world(), newAddress());
  const browser = browserOf(user);
  const used = await invite(owner, user.email);
  await browser.post(`/invitation/${used.token}`);
  await owner.rest(`DELETE /v1/members/${user.userId}`);
  expect((await browser.post(`/invitation/${used.token}`)).status).toBe(404);
  const pass = async (): Promise<void> => {
    // Mail to one address comes now and then only.
    await world().admin.query(
      "update invitations set sent_at = sent_at - interval '1 day' where org_id = $1",
      [org.id],
    );
  };
  await pass();
  const replaced = await invite(owner, user.email);
  await pass();
  const revoked = await invite(owner, user.email);
  expect((await browser.post(`/invitation/${replaced.token}`)).status).toBe(404);
  expect((await owner.rest(`DELETE /v1/invitations/${revoked.id}`)).status).toBe(200);
  expect((await browser.post(`/invitation/${revoked.token}`)).status).toBe(404);
  await pass();
  const old = await invite(owner, user.email);
  await world().admin.query('update invitations set ends_at = now() where id = $1', [old.id]);
  expect((await browser.get(`/invitation/${old.token}`)).status).toBe(404);
  expect((await browser.post(`/invitation/${old.token}`)).status).toBe(404);
  expect(await membersOf(owner)).toHaveLength(1);
});

test('invitation replay: accepted twice at once, it is accepted once', async () => {
  const org = await world().newOrg();
  const owner = await newMember(world(), org, 'owner');
  const user = await newSignedIn(world(), newAddress());
  const { token } = await invite(owner, user.email);
  const answers = await Promise.all([1, 2, 3].map(() => browserOf(user).post(`/invitation/${token}`)));
  expect(answers.map(({ status }) => `${status}`).toSorted()).toEqual(['303', '404', '404']);
  expect(await auditOf(world(), org, 'accept_invitation')).toHaveLength(1);
});

test('invitation for another address: nobody else can accept it, by page or by call', async () => {
  const org = await world().newOrg();
  const owner = await newMember(world(), org, 'owner');
  const { id, token } = await invite(owner, newAddress(), 'owner');
  const thief = await newSignedIn(world());
  const browser = browserOf(thief);
  expect((await browser.get(`/invitation/${token}`)).status).toBe(403);
  expect((await browser.post(`/invitation/${token}`)).status).toBe(403);
  expect((await browser.call('POST', `/account/invitations/${id}/accept`)).status).toBe(404);
  expect((await new Visitor(world().url).post(`/invitation/${token}`)).location).toBe('/sign-in');
  expect(await membersOf(owner)).toHaveLength(1);
});

test.each([
  ['removed', (by: TestMember, of: string) => by.rest(`DELETE /v1/members/${of}`)],
  ['less than that', (by: TestMember, of: string) => by.rest(`PATCH /v1/members/${of}`, { role: 'editor' })],
] as const)('an invitation is worth nothing once its sender is %s', async (_name, act) => {
  const org = await world().newOrg();
  const [owner, admin] = [await newMember(world(), org, 'owner'), await newMember(world(), org, 'admin')];
  const user = await newSignedIn(world(), newAddress());
  const { token } = await invite(admin, user.email, 'admin');
  await act(owner, admin.user.userId);
  expect((await browserOf(user).post(`/invitation/${token}`)).status).toBe(404);
  expect((await membersOf(owner)).some(({ email }) => email === user.email)).toBe(false);
});

test('an address without an account makes one by the link alone, and then accepts', async () => {
  const owner = await newMember(world(), await world().newOrg(), 'owner');
  const email = newAddress();
  const { token } = await invite(owner, email);
  const visitor = new Visitor(world().url);
  expect((await visitor.get(`/invitation/${token}`)).text).toContain('Make an account');
  const { location } = await visitor.post(`/invitation/${token}/account`);
  expect(location).toMatch(/^\/link\//);
  await visitor.post(location!, { password: 'seven quiet otters' });
  expect((await visitor.post(`/invitation/${token}`)).location).toBe('/account');
  expect((await membersOf(owner)).map((one) => one.email)).toContain(email);
});

test('mail goes to one address now and then only, also after the invitation was taken back', async () => {
  const owner = await newMember(world(), await world().newOrg(), 'owner');
  const email = newAddress();
  const { id } = await invite(owner, email);
  const again = () => owner.rest('POST /v1/invitations', { email, role: 'viewer' });
  expect((await again()).status).toBe(429);
  await owner.rest(`DELETE /v1/invitations/${id}`);
  expect((await again()).status).toBe(429);
});

test('a member is not invited', async () => {
  const owner = await newMember(world(), await world().newOrg(), 'owner');
  const answer = await owner.rest('POST /v1/invitations', { email: owner.user.email, role: 'viewer' });
  expect(answer).toMatchObject({ status: 409, body: { code: 'already_member' } });
});

test('a user makes an organization, live or test, and is its owner', async () => {
  const user = await newSignedIn(world());
  const visitor = browserOf(user);
  const make = (body: object) =>
    visitor.send('/account/organizations', {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        'auth-type': 'session',
        'sec-fetch-site': 'same-origin',
        origin: world().url,
        'content-type': 'application/json',
      },
    });
  expect((await make({ name: '' })).status).toBe(400);
  for (const mode of ['live', 'test']) expect((await make({ name: `Mine, ${mode}`, mode })).status).toBe(201);
  const { text } = await visitor.call('GET', '/account/organizations');
  expect(JSON.parse(text)).toMatchObject({
    organizations: [
      { name: 'Mine, live', mode: 'live', role: 'owner' },
      { name: 'Mine, test', mode: 'test', role: 'owner' },
    ],
    invitations: [],
  });
});
