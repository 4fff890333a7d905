import { expect, test } from 'vitest';
import { permissionsOf, roles } from '../../src/kernel/caller.ts';
import { newMember, newSignedIn, TestMember } from '../support/member.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

test('a member calls /v1 by the session of a browser', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'ada@example.com' });
  const member = await newMember(world(), org, 'viewer');
  expect(await member.rest(`GET /v1/people/${person_id}`)).toMatchObject({
    status: 200,
    body: { person: { id: person_id } },
  });
  expect((await member.rest('GET /v1/people')).headers.get('ratelimit')).toContain('"read"');
});

test.each(roles)('get_me tells a member who is %s what that is', async (role) => {
  const org = await world().newOrg();
  const member = await newMember(world(), org, role);
  const { body } = await member.rest('GET /v1/me');
  expect(body).toEqual({
    organization: { org_id: org.id, name: 'A test organization', mode: 'test', currency: 'USD' },
    api_key: null,
    user: { user_id: member.user.userId, email: member.user.email },
    role,
    permissions: permissionsOf[role],
    manages_access: role === 'owner' || role === 'admin',
    organizations: [{ org_id: org.id, name: 'A test organization', mode: 'test', role }],
  });
});

test('get_me tells a key what it is', async () => {
  const org = await world().newOrg();
  const key = await world().newKey(org, ['events.write']);
  const me = {
    organization: { org_id: org.id },
    api_key: { api_key_id: key.keyId, name: 'another' },
    user: null,
    role: null,
    permissions: ['events.write'],
    manages_access: false,
    organizations: [],
  };
  expect((await key.rest('GET /v1/me')).body).toMatchObject(me);
});

test('an organization is not found by somebody who is no member, as one that nobody has', async () => {
  const [org, other] = [await world().newOrg(), await world().newOrg()];
  const { user } = await newMember(world(), org, 'owner');
  const asked = async (id: string) => {
    const { status, body } = await new TestMember(world().url, id as typeof org.id, user).rest(
      'GET /v1/people',
    );
    return { status, code: body.code, detail: body.detail };
  };
  const theirs = await asked(other.id);
  expect(theirs).toEqual({ status: 404, code: 'not_found', detail: 'You are in no such organization.' });
  expect(await asked('018f0000-0000-7000-8000-000000000000')).toEqual(theirs);
  expect(await asked("' or true")).toEqual(theirs);
});

test('a call by a session names its organization', async () => {
  const member = await newMember(world(), await world().newOrg(), 'owner');
  const { 'rostrum-organization': _, ...credential } = member.credential;
  const answer = await fetch(`${world().url}/v1/people`, { headers: credential });
  expect(answer.status).toBe(400);
});

test('two organizations in two tabs: each call is of the one it names', async () => {
  const user = await newSignedIn(world());
  const [one, two] = [await world().newOrg(), await world().newOrg()];
  const [here, there] = [
    await newMember(world(), one, 'owner', user),
    await newMember(world(), two, 'viewer', user),
  ];
  await one.person({ email: 'one@example.com' });
  const [mine, theirs] = await Promise.all([here.rest('GET /v1/people'), there.rest('GET /v1/people')]);
  expect([mine.body.total, theirs.body.total]).toEqual([1, 0]);
  const identify = (tab: TestMember) => tab.rest('POST /v1/people/identify', { email: 'two@example.com' });
  expect([(await identify(here)).status, (await identify(there)).status]).toEqual([200, 403]);
  expect((await two.rest('GET /v1/people')).body.total).toBe(0);
  expect((await here.rest('GET /v1/me')).body.organizations).toHaveLength(2);
});
