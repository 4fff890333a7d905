import { sql } from 'kysely';
import { orgTransaction } from '../../database/org-transaction.ts';
import { endFamily, holdFamily } from './families.ts';
import type { Asking, TokenParts } from './token-pair.ts';
import { familyOf, hashToken, isAccessToken, type FamilyRef } from './token.ts';

/** A client says goodbye by any of its tokens (RFC 7009): all that came of the same code end. */
export async function revokeToken(
  { database }: Pick<TokenParts, 'database'>,
  given: Asking & { readonly token: string },
  now: Date,
): Promise<void> {
  const hash = hashToken(given.token);
  const ref = familyOf('refresh', given.token) ?? (await refOfAccess(database, given.token, hash));
  if (ref === undefined) return;
  await orgTransaction(database, ref.org, 'write', async (db) => {
    const family = await holdFamily(db, ref);
    if (family === undefined || family.clientId !== given.clientId) return;
    const isRefresh = family.refreshHash?.equals(hash) === true;
    if (!isRefresh && !isAccessToken(given.token)) return;
    await endFamily(db, ref, { ...family, ...given, reason: 'the client ended it' }, now);
  });
}

async function refOfAccess(
  database: TokenParts['database'],
  token: string,
  hash: Buffer,
): Promise<FamilyRef | undefined> {
  if (!isAccessToken(token)) return undefined;
  const { rows } = await sql<FamilyRef>`
    select org_id as org, family_id as family from gate.find_connection(${hash})`.execute(database);
  return rows[0];
}
