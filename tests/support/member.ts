import { accountTransaction, orgTransaction } from '../../src/database/org-transaction.ts';
import { openSession } from '../../src/domain/accounts/session.ts';
import { addMember } from '../../src/domain/members/member.ts';
import type { Role } from '../../src/kernel/caller.ts';
import { newId, type OrgId } from '../../src/kernel/ids.ts';
import { TestOrg } from './test-org.ts';
import type { World } from './world.ts';

/** A user with an account and a session. */
export interface SignedInUser {
  readonly userId: string;
  readonly email: string;
  readonly token: string;
}

let users = 0;

/** A user without a password, which takes long to hash; signed in all the same. */
export async function newSignedIn(
  world: Pick<World, 'clock' | 'database'>,
  email = `member${++users}@example.com`,
): Promise<SignedInUser> {
  const now = world.clock.now();
  const userId = newId(now);
  return accountTransaction(world.database, 'write', async (db) => {
    await db
      .insertInto('auth.users')
      .values({ id: userId, email, password: 'none that matches', created_at: now })
      .execute();
    const user = { id: userId, awaitsCode: false };
    const { token } = await openSession(db, user, { address: '127.0.0.1', agent: 'a test' }, now);
    return { userId, email, token };
  });
}

/** One organization seen through a session of one of its members. */
export class TestMember extends TestOrg {
  readonly user: SignedInUser;

  constructor(url: string, org: OrgId, user: SignedInUser) {
    super(url, org, '', '');
    this.user = user;
  }

  override get credential(): Record<string, string> {
    return {
      cookie: `__Host-rostrum-session=${this.user.token}`,
      'auth-type': 'session',
      'sec-fetch-site': 'same-origin',
      origin: this.url,
      'rostrum-organization': this.id,
    };
  }
}

/** A new user, or one there is, as a member of the organization. */
export async function newMember(
  world: World,
  org: Pick<TestOrg, 'id'>,
  role: Role,
  user?: SignedInUser,
): Promise<TestMember> {
  const who = user ?? (await newSignedIn(world));
  await orgTransaction(world.database, org.id, 'write', (db) =>
    addMember(db, org.id, { ...who, role }, world.clock.now()),
  );
  return new TestMember(world.url, org.id, who);
}
