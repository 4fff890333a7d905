import { sql } from 'kysely';
import { orgTransaction } from '../../database/org-transaction.ts';
import type { Database } from '../../database/pool.ts';
import type { Permission, Role } from '../../kernel/caller.ts';
import type { OrgId } from '../../kernel/ids.ts';
import type { AuthenticateParts } from '../orgs/authenticate.ts';
import { believer } from '../orgs/believe.ts';
import { hashToken, isAccessToken } from './token.ts';

const lastUsedEveryMs = 60_000;

/** A connection as one call by it needs it: what was granted, and what the user is in the organization right now. */
export interface ConnectionRecord {
  readonly org_id: OrgId;
  readonly mode: 'live' | 'test';
  readonly currency: string;
  readonly state: 'active' | 'suspended';
  readonly state_reason: string | null;
  readonly connection_id: string;
  readonly user_id: string;
  readonly role: Role;
  readonly permissions: Permission[];
  readonly ends_at: Date;
  readonly last_used_at: Date | null;
}

/** Finds the connection of a token that came from an address. */
export type AuthenticateConnection = (
  token: string,
  address: string,
) => Promise<ConnectionRecord | undefined>;

/** One question a call at most, as for keys: whatever takes a right away has done so within a second. */
export function connectionAuthenticator(parts: AuthenticateParts): AuthenticateConnection {
  const { database, clock, onError } = parts;
  const believe = believer('tokens', parts, async (hash: Buffer) => {
    const { rows } = await sql<ConnectionRecord>`select * from gate.find_connection(${hash})`.execute(
      database,
    );
    const [found] = rows;
    const now = clock.now();
    if (found === undefined || found.ends_at <= now) return undefined;
    noteUse(database, found, now).catch(onError);
    return found;
  });
  return async (token, address) => {
    if (!isAccessToken(token)) return undefined;
    const found = await believe(hashToken(token), address);
    return found !== undefined && found.ends_at > clock.now() ? found : undefined;
  };
}

/** Precise to the minute, so that a busy connection does not cost a write a call. */
async function noteUse(database: Database, found: ConnectionRecord, now: Date): Promise<void> {
  if (found.last_used_at !== null && now.getTime() - found.last_used_at.getTime() < lastUsedEveryMs) return;
  await orgTransaction(database, found.org_id, 'write', (db) =>
    db
      .updateTable('connections')
      .set({ last_used_at: now })
      .where('org_id', '=', found.org_id)
      .where('id', '=', found.connection_id)
      .execute(),
  );
}
