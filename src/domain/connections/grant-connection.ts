import { orgTransaction } from '../../database/org-transaction.ts';
import type { Database } from '../../database/pool.ts';
import { permissionsOf, type Permission, type Role } from '../../kernel/caller.ts';
import { newId, type OrgId } from '../../kernel/ids.ts';
import { writeAudit } from '../orgs/audit.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { forgetFamilies } from './families.ts';
import { hostOf } from './redirect-uri.ts';
import { hashToken, newFamilyToken } from './token.ts';

const codeMs = 60_000;
const connectionMs = 90 * 86_400_000;

export interface Grant {
  readonly request: AuthorizationRequest;
  readonly org: OrgId;
  readonly userId: string;
  /** What the user ticked. */
  readonly permissions: readonly Permission[];
  readonly requestId: string;
  readonly address: string;
}

/**
 * Lets a client act for a user in an organization, with what they ticked and their role allows. A client has one
 * connection there: what was granted last counts. Answers with the code, or with nothing if the user is no member (any more)
 * or nothing is left to grant.
 */
export const grantConnection = (
  database: Database,
  { request, org, userId, permissions, requestId, address }: Grant,
  now: Date,
): Promise<string | undefined> =>
  orgTransaction(database, org, 'write', async (db) => {
    // Held, so that whoever is taken out meanwhile takes the connection along.
    const member = await db
      .selectFrom('members')
      .select('role')
      .where('org_id', '=', org)
      .where('id', '=', userId)
      .forShare()
      .executeTakeFirst();
    const may = permissionsOf[member?.role as Role] ?? [];
    const granted = request.scopes.filter((one) => permissions.includes(one) && may.includes(one));
    if (granted.length === 0) return undefined;
    const { client, redirectUri, challenge } = request;
    const told = {
      client_name: client.name,
      client_host: client.host,
      redirect_host: hostOf(redirectUri),
      permissions: granted,
      granted_at: now,
      ends_at: new Date(now.getTime() + connectionMs),
    };
    const { id } = await db
      .insertInto('connections')
      .values({
        org_id: org,
        id: newId(now),
        user_id: userId,
        client_id: client.id,
        created_at: now,
        ...told,
      })
      .onConflict((same) => same.columns(['org_id', 'user_id', 'client_id']).doUpdateSet(told))
      .returning('id')
      .executeTakeFirstOrThrow();
    const family = newId(now);
    const code = newFamilyToken('code', { org, family });
    await db
      .insertInto('connection_families')
      .values({
        org_id: org,
        id: family,
        tool_connection_id: id,
        code_hash: hashToken(code),
        challenge,
        redirect_uri: redirectUri,
        code_ends_at: new Date(now.getTime() + codeMs),
      })
      .execute();
    await forgetFamilies(db, org, id, now);
    const caller = { actor: { kind: 'user', id: userId }, face: 'account', requestId, address } as const;
    await writeAudit({ db, org, now, caller, touched: { tool_connection_id: id } }, 'grant_connection');
    return code;
  });
