import { hash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../database/pool.ts';
import { permissions, type Permission } from '../../kernel/caller.ts';
import { newId, type OrgId } from '../../kernel/ids.ts';

/** Everything but changing settings: a key that can make keys has to be asked for explicitly. */
export const defaultPermissions: readonly Permission[] = permissions.filter(
  (name) => name !== 'settings.write',
);

/** Whether a text looks like a secret of ours; anything else is not worth a query. */
export const isSecret = (text: string): boolean => /^rk_(live|test)_[\w-]{43}$/.test(text);

export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer');

export interface NewApiKey {
  readonly name: string;
  readonly permissions?: readonly Permission[];
  readonly expiresAt?: Date | undefined;
  /** The member who makes it. */
  readonly createdBy?: string;
}

/** Makes a key and returns its secret, which is not kept: only its hash is. Runs inside the organization. */
export async function createApiKey(
  db: Database,
  org: { readonly id: OrgId; readonly mode: 'live' | 'test' },
  key: NewApiKey,
  now: Date,
): Promise<{ id: string; secret: string }> {
  const secret = `rk_${org.mode}_${randomBytes(32).toString('base64url')}`;
  const id = newId(now);
  await db
    .insertInto('api_keys')
    .values({
      org_id: org.id,
      id,
      name: key.name,
      prefix: secret.slice(0, 12),
      secret_hash: hashSecret(secret),
      permissions: [...(key.permissions ?? defaultPermissions)],
      created_at: now,
      created_by: key.createdBy ?? null,
      expires_at: key.expiresAt ?? null,
    })
    .execute();
  return { id, secret };
}

export async function revokeApiKey(db: Database, org: OrgId, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('org_id', '=', org)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** What the service knows of a key; it does not keep the secret. */
export interface ListedKey {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly string[];
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly last_used_at: Date | null;
  readonly revoked_at: Date | null;
}

/** An organization's keys, oldest first, including those that no longer work. Runs inside the organization. */
export const listApiKeys = (db: Database, org: OrgId): Promise<ListedKey[]> =>
  db
    .selectFrom('api_keys')
    .select(['id', 'name', 'permissions', 'created_at', 'expires_at', 'last_used_at', 'revoked_at'])
    .where('org_id', '=', org)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export interface KeyRecord {
  readonly org_id: OrgId;
  readonly mode: 'live' | 'test';
  readonly currency: string;
  readonly state: 'active' | 'suspended';
  readonly state_reason: string | null;
  readonly key_id: string;
  readonly permissions: Permission[];
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly last_used_at: Date | null;
}

/** The hash is the index key, so no secret is compared byte by byte, which timing could reveal. */
export async function findApiKey(database: Database, secretHash: Buffer): Promise<KeyRecord | undefined> {
  const { rows } = await sql<KeyRecord>`select * from gate.find_api_key(${secretHash})`.execute(database);
  return rows[0];
}
