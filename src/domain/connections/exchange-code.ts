import { createHash, randomBytes } from 'node:crypto';
import { orgTransaction } from '../../database/org-transaction.ts';
import { isSameText } from '../../kernel/same-text.ts';
import { endFamily, holdFamily, type Family } from './families.ts';
import { familyOf, hashToken } from './token.ts';
import { issuePair, pairOf, type Asking, type IssuedTokens, type TokenParts } from './token-pair.ts';

export interface GivenCode extends Asking {
  readonly code: string;
  readonly verifier: string;
  readonly redirectUri: string | undefined;
}

/**
 * The first tokens, for a code. A code that comes again was seen by somebody else, and so, perhaps, were the tokens: they
 * end. Nothing, if the code is not good or the verifier is not that of the challenge.
 */
export async function exchangeCode(
  { database }: Pick<TokenParts, 'database'>,
  given: GivenCode,
  now: Date,
): Promise<IssuedTokens | undefined> {
  const ref = familyOf('code', given.code);
  if (ref === undefined) return undefined;
  return orgTransaction(database, ref.org, 'write', async (db) => {
    const family = await holdFamily(db, ref);
    if (family === undefined || !hashToken(given.code).equals(family.codeHash)) return undefined;
    if (family.refreshHash !== null) {
      await endFamily(db, ref, { ...family, ...given, reason: 'Its code was used twice.' }, now);
      return undefined;
    }
    const isOurs = family.clientId === given.clientId && isVerified(family, given.verifier);
    const isBack = given.redirectUri === undefined || given.redirectUri === family.redirectUri;
    if (!isOurs || !isBack || now >= family.codeEndsAt) return undefined;
    const pair = pairOf(ref, randomBytes(32), randomBytes(32));
    return issuePair(db, ref, family, { pair, used: null }, now);
  });
}

/** RFC 7636, 4.6. */
const isVerified = ({ challenge }: Family, verifier: string): boolean =>
  /^[\w.~-]{43,128}$/.test(verifier) &&
  isSameText(createHash('sha256').update(verifier).digest('base64url'), challenge);
