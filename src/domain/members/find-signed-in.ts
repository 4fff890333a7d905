import { sql } from 'kysely';
import { accountTransaction } from '../../database/org-transaction.ts';
import type { Database } from '../../database/pool.ts';
import type { Role } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { isAlive, noteUse } from '../accounts/session.ts';

/** An organization as one of its members sees it from outside. */
export interface Membership {
  readonly org_id: OrgId;
  readonly name: string;
  readonly mode: 'live' | 'test';
  readonly currency: string;
  readonly state: 'active' | 'suspended';
  readonly state_reason: string | null;
  readonly role: Role;
}

/** Who a session's token belongs to, and what that user is where. */
export interface SignedIn {
  readonly session_id: string;
  readonly user_id: string;
  readonly email: string;
  readonly awaits_code: boolean;
  readonly used_at: Date;
  readonly ends_at: Date;
  readonly organizations: readonly Membership[];
}

/** Asks for a session by its token's hash. */
export const signedInLookUp =
  (database: Database, clock: Clock, onError: (error: unknown) => void) =>
  async (hash: Buffer): Promise<SignedIn | undefined> => {
    const { rows } = await sql<SignedIn>`
      select s.*, coalesce((select json_agg(o) from gate.organizations_of(s.user_id) o), '[]') as organizations
      from gate.find_session(${hash}) s`.execute(database);
    const found = rows[0];
    const now = clock.now();
    if (found === undefined || !isGood(found, now)) return undefined;
    accountTransaction(database, 'write', (db) =>
      noteUse(db, { id: found.session_id, usedAt: found.used_at }, now),
    ).catch(onError);
    return found;
  };

/** Whether it lets somebody in now. One that awaits a code does not. */
export const isGood = ({ awaits_code, used_at, ends_at }: SignedIn, now: Date): boolean =>
  !awaits_code && isAlive({ usedAt: used_at, endsAt: ends_at }, now);

export const organizationsOf = async (db: Database, user: string): Promise<readonly Membership[]> =>
  (await sql<Membership>`select * from gate.organizations_of(${user})`.execute(db)).rows;
