import { expect, test } from 'vitest';
import { roles, type Role } from '../../src/kernel/caller.ts';
import { auditOf } from '../support/audit.ts';
import { lockWaits } from '../support/lock-waits.ts';
import { newMember, type TestMember } from '../support/member.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const roleOf = async ({ id, user }: TestMember): Promise<string | undefined> => {
  const { rows } = await world().admin.query('select role from members where org_id = $1 and id = $2', [
    id,
    user.userId,
  ]);
  return rows[0]?.role;
};
const changeRole = (by: TestMember, of: TestMember, role: Role) =>
  by.rest(`PATCH /v1/members/${of.user.userId}`, { role });
const remove = (by: TestMember, of: TestMember) => by.rest(`DELETE /v1/members/${of.user.userId}`);

test('members are listed with their addresses and roles', async () => {
  const org = await world().newOrg();
  const [owner, viewer] = [await newMember(world(), org, 'owner'), await newMember(world(), org, 'viewer')];
  const { body } = await viewer.rest('GET /v1/members');
  expect(body).toMatchObject({ total: 2, limit: 50, offset: 0 });
  expect(body.members).toEqual(
    [owner, viewer]
      .toSorted((one, other) => (one.user.email < other.user.email ? -1 : 1))
      .map(({ user }) => ({
        user_id: user.userId,
        email: user.email,
        role: user === owner.user ? 'owner' : 'viewer',
        since: expect.any(String) as string,
      })),
  );
});

test('a role is changed, a member removed, and each is in the audit log by the user who did it', async () => {
  const org = await world().newOrg();
  const [owner, other] = [await newMember(world(), org, 'owner'), await newMember(world(), org, 'viewer')];
  expect((await changeRole(owner, other, 'sender')).body.member).toMatchObject({ role: 'sender' });
  expect((await remove(owner, other)).body).toEqual({ removed: true, user_id: other.user.userId });
  for (const operation of ['change_member_role', 'remove_member'])
    expect(await auditOf(world(), org, operation)).toMatchObject([
      { ids: { user_id: other.user.userId }, actor_id: owner.user.userId },
    ]);
});

test.each([
  ['removed', (owner: TestMember, member: TestMember) => remove(owner, member), 404],
  ['a viewer', (owner: TestMember, member: TestMember) => changeRole(owner, member, 'viewer'), 403],
] as const)('stale membership: who is %s acts no more within a second', async (_name, act, status) => {
  const org = await world().newOrg();
  const [owner, member] = [await newMember(world(), org, 'owner'), await newMember(world(), org, 'editor')];
  const write = async () =>
    (await member.rest('POST /v1/people/identify', { email: 'ada@example.com' })).status;
  expect(await write()).toBe(200);
  expect((await act(owner, member)).status).toBe(200);
  const since = performance.now();
  await expect.poll(write, { interval: 50, timeout: 5_000 }).toBe(status);
  expect(performance.now() - since).toBeLessThan(1_000);
});

test('stale membership: what manages access goes by the role of now, not by what the session was let in with', async () => {
  const org = await world().newOrg();
  const [admin, other] = [await newMember(world(), org, 'admin'), await newMember(world(), org, 'viewer')];
  const key = await world().newKey(org, ['people.read']);
  const before = world().clock.now.bind(world().clock);
  const still = before();
  world().clock.now = () => still; // what is believed for half a second is believed as long as this
  expect((await admin.rest('GET /v1/me')).body.role).toBe('admin');
  await world().admin.query("update members set role = 'viewer' where org_id = $1 and id = $2", [
    org.id,
    admin.user.userId,
  ]);
  expect((await changeRole(admin, other, 'admin')).status).toBe(403);
  expect((await remove(admin, other)).status).toBe(403);
  expect((await admin.rest('POST /v1/invitations', { email: 'x@example.com', role: 'viewer' })).status).toBe(
    403,
  );
  expect((await admin.rest('POST /v1/api-keys', { name: 'Mine' })).status).toBe(403);
  expect((await admin.rest(`DELETE /v1/api-keys/${key.keyId}`)).status).toBe(403);
  expect((await admin.rest('GET /v1/me')).body.role).toBe('admin');
  world().clock.now = before;
});

test('the last owner cannot go: neither leave, nor be removed, nor become less', async () => {
  const org = await world().newOrg();
  const owner = await newMember(world(), org, 'owner');
  await newMember(world(), org, 'admin');
  for (const answer of [
    await owner.rest('POST /v1/me/leave', {}),
    await remove(owner, owner),
    await changeRole(owner, owner, 'admin'),
  ])
    expect(answer).toMatchObject({ status: 409, body: { code: 'last_owner' } });
  expect(await roleOf(owner)).toBe('owner');
});

test.each([
  ['leave', (one: TestMember) => one.rest('POST /v1/me/leave', {})],
  ['become less', (one: TestMember) => changeRole(one, one, 'viewer')],
] as const)('of two owners who %s at once, one stays', async (_name, act) => {
  const org = await world().newOrg();
  const owners = [await newMember(world(), org, 'owner'), await newMember(world(), org, 'owner')];
  // Both have begun before either may go on.
  const { admin } = world();
  await admin.query('begin');
  await admin.query('select 1 from members where org_id = $1 for update', [org.id]);
  const both = Promise.all(owners.map(act));
  await expect.poll(() => lockWaits(admin), { timeout: 20_000 }).toBe(2);
  await admin.query('commit');
  expect((await both).map(({ status }) => `${status}`).toSorted()).toEqual(['200', '409']);
  expect((await Promise.all(owners.map(roleOf))).filter((role) => role === 'owner')).toHaveLength(1);
});

test('everybody may leave, and leaves alone', async () => {
  const org = await world().newOrg();
  const [owner, viewer] = [await newMember(world(), org, 'owner'), await newMember(world(), org, 'viewer')];
  expect((await viewer.rest('POST /v1/me/leave', {})).body).toEqual({ left: true });
  expect([await roleOf(owner), await roleOf(viewer)]).toEqual(['owner', undefined]);
  expect((await org.rest('POST /v1/me/leave', {})).status).toBe(403); // a key is nobody
});

const managing: readonly Role[] = ['owner', 'admin'];

test.each(roles)('role escalation: what %s can make of others and of themselves', async (role) => {
  const org = await world().newOrg();
  await newMember(world(), org, 'owner'); // so that no refusal is about the last one
  const may = managing.includes(role);
  for (const of of roles)
    for (const to of roles) {
      const [by, other] = [await newMember(world(), org, role), await newMember(world(), org, of)];
      const allowed = may && (role === 'owner' || (of !== 'owner' && to !== 'owner'));
      const { status } = await changeRole(by, other, to);
      expect([of, to, status, await roleOf(other)]).toEqual([of, to, allowed ? 200 : 403, allowed ? to : of]);
      await changeRole(by, by, to);
      const own = may && (role === 'owner' || to !== 'owner') ? to : role;
      expect([to, await roleOf(by)]).toEqual([to, own]);
    }
  for (const of of roles) {
    const [by, other] = [await newMember(world(), org, role), await newMember(world(), org, of)];
    const allowed = may && (role === 'owner' || of !== 'owner');
    expect([of, (await remove(by, other)).status]).toEqual([of, allowed ? 200 : 403]);
    const invited = await by.rest('POST /v1/invitations', { email: `${role}.${of}@example.com`, role: of });
    expect([of, invited.status]).toEqual([of, allowed ? 201 : 403]);
  }
});
