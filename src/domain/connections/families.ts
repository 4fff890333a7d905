import { sql } from 'kysely';
import type { Database } from '../../database/pool.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { writeAudit, type Audited } from '../orgs/audit.ts';
import type { FamilyRef } from './token.ts';

/** Tokens that came of one code. A client has one for each device that it runs on. */
const mostOfConnection = 20;

export interface Family {
  readonly connectionId: string;
  readonly userId: string;
  readonly clientId: string;
  readonly permissions: readonly string[];
  readonly endsAt: Date;
  readonly codeHash: Buffer;
  readonly challenge: string;
  readonly redirectUri: string;
  readonly codeEndsAt: Date;
  readonly refreshHash: Buffer | null;
  readonly lastRefreshHash: Buffer | null;
  readonly refreshedAt: Date | null;
}

/** Reads a family once its connection is held, which is the lock of all its families. */
export async function holdFamily(db: Database, { org, family }: FamilyRef): Promise<Family | undefined> {
  const held = await db
    .selectFrom('connections as c')
    .innerJoin('connection_families as f', (join) =>
      join.onRef('c.org_id', '=', 'f.org_id').onRef('c.id', '=', 'f.tool_connection_id'),
    )
    .select(['c.id as connectionId', 'c.user_id as userId', 'c.client_id as clientId', 'c.permissions'])
    .select('c.ends_at as endsAt')
    .where('f.org_id', '=', org)
    .where('f.id', '=', family)
    .forUpdate('c')
    .executeTakeFirst();
  if (held === undefined) return undefined;
  // Read only now: whoever held the connection before may have changed it.
  const found = await db
    .selectFrom('connection_families')
    .select(['code_hash as codeHash', 'challenge', 'redirect_uri as redirectUri'])
    .select(['code_ends_at as codeEndsAt', 'refresh_hash as refreshHash'])
    .select(['last_refresh_hash as lastRefreshHash', 'refreshed_at as refreshedAt'])
    .where('org_id', '=', org)
    .where('id', '=', family)
    .executeTakeFirst();
  return found && { ...held, ...found };
}

export interface EndedFamily {
  readonly connectionId: string;
  readonly userId: string;
  readonly requestId: string;
  readonly address: string;
  readonly reason: string;
}

/** Ends a family, and its connection with the last one. */
export async function endFamily(
  db: Database,
  { org, family }: FamilyRef,
  { connectionId, userId, requestId, address, reason }: EndedFamily,
  now: Date,
): Promise<void> {
  await db.deleteFrom('connection_families').where('org_id', '=', org).where('id', '=', family).execute();
  await sql`
    delete from connections c where org_id = ${org} and id = ${connectionId} and not exists (
      select from connection_families f where f.org_id = c.org_id and f.tool_connection_id = c.id)`.execute(
    db,
  );
  const caller: Audited['caller'] = {
    actor: { kind: 'user', id: userId },
    connection: connectionId,
    face: 'mcp',
    requestId,
    address,
  };
  const touched = { tool_connection_id: connectionId };
  await writeAudit({ db, org, now, caller, touched, reason }, 'end_connection');
}

/** Codes that nobody came for go, and the oldest of too many families. */
export async function forgetFamilies(
  db: Database,
  org: OrgId,
  connectionId: string,
  now: Date,
): Promise<void> {
  await sql`
    delete from connection_families where org_id = ${org} and tool_connection_id = ${connectionId} and (
      (refresh_hash is null and code_ends_at <= ${now}) or id in (
        select id from connection_families where org_id = ${org} and tool_connection_id = ${connectionId}
        order by id desc offset ${mostOfConnection}))`.execute(db);
}
