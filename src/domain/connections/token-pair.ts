import type { Database } from '../../database/pool.ts';
import type { Keyring } from '../../database/work.ts';
import type { Family } from './families.ts';
import { hashToken, newAccessToken, newFamilyToken, type FamilyRef } from './token.ts';

export const accessMs = 3_600_000;

export interface TokenParts {
  readonly database: Database;
  readonly keys: Keyring;
}

/** Who asks for tokens, and from where. */
export interface Asking {
  readonly clientId: string;
  readonly requestId: string;
  readonly address: string;
}

/** A token for calls, and the one for the next pair. */
export interface Pair {
  readonly access: string;
  readonly refresh: string;
}

export interface IssuedTokens extends Pair {
  readonly seconds: number;
  readonly permissions: readonly string[];
}

export const pairOf = (ref: FamilyRef, access: Buffer, refresh: Buffer): Pair => ({
  access: newAccessToken(access),
  refresh: newFamilyToken('refresh', ref, refresh),
});

/** Makes a pair the current one of its family; `used` is the token it was given for. */
export async function issuePair(
  db: Database,
  { org, family: id }: FamilyRef,
  { permissions, endsAt }: Family,
  { pair, used }: { readonly pair: Pair; readonly used: Buffer | null },
  now: Date,
): Promise<IssuedTokens> {
  const ends = new Date(Math.min(now.getTime() + accessMs, endsAt.getTime()));
  await db
    .updateTable('connection_families')
    .set({
      access_hash: hashToken(pair.access),
      access_ends_at: ends,
      refresh_hash: hashToken(pair.refresh),
      last_refresh_hash: used,
      refreshed_at: now,
    })
    .where('org_id', '=', org)
    .where('id', '=', id)
    .execute();
  return { ...pair, seconds: Math.floor((ends.getTime() - now.getTime()) / 1000), permissions };
}
