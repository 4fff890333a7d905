import { orgTransaction } from '../../database/org-transaction.ts';
import type { Keyring } from '../../database/work.ts';
import { endFamily, holdFamily, type Family } from './families.ts';
import { familyOf, hashToken, type FamilyRef } from './token.ts';
import {
  accessMs,
  issuePair,
  pairOf,
  type Asking,
  type IssuedTokens,
  type Pair,
  type TokenParts,
} from './token-pair.ts';

/** A client whose calls fail at once asks for new tokens several times at once, or asks again after a lost answer. */
const againMs = 10_000;

/**
 * The next tokens, for the token that came with the last ones. Any older one ends all that came of the same code: two hold
 * it, and which of them is the client cannot be known.
 */
export async function refreshTokens(
  { database, keys }: TokenParts,
  given: Asking & { readonly token: string },
  now: Date,
): Promise<IssuedTokens | undefined> {
  const ref = familyOf('refresh', given.token);
  if (ref === undefined) return undefined;
  return orgTransaction(database, ref.org, 'write', async (db) => {
    const family = await holdFamily(db, ref);
    if (family === undefined || family.clientId !== given.clientId || now >= family.endsAt) return undefined;
    const used = hashToken(given.token);
    const pairs = nextPairs(keys, ref, given.token);
    if (family.refreshHash?.equals(used) === true)
      return issuePair(db, ref, family, { pair: pairs[0]!, used }, now);
    const again = wasJustUsed(family, used, now)
      ? pairs.find(({ refresh }) => hashToken(refresh).equals(family.refreshHash!))
      : undefined;
    if (again !== undefined)
      return { ...again, seconds: secondsLeft(family, now), permissions: family.permissions };
    await endFamily(db, ref, { ...family, ...given, reason: 'A token for new tokens was used twice.' }, now);
    return undefined;
  });
}

/**
 * What follows a token, by every secret there is. It is made of the token itself, which only its holder has, so that
 * asking again gives the same and nothing of it need be kept.
 */
function nextPairs(keys: Keyring, ref: FamilyRef, token: string): Pair[] {
  const refreshes = keys.macs('next refresh token', Buffer.from(token));
  return keys
    .macs('next access token', Buffer.from(token))
    .map((mac, at) => pairOf(ref, mac, refreshes[at]!));
}

const wasJustUsed = ({ lastRefreshHash, refreshedAt }: Family, used: Buffer, now: Date): boolean =>
  lastRefreshHash?.equals(used) === true && now.getTime() - refreshedAt!.getTime() <= againMs;

const secondsLeft = ({ refreshedAt }: Family, now: Date): number =>
  Math.floor((refreshedAt!.getTime() + accessMs - now.getTime()) / 1000);
