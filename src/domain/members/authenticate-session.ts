import { hashToken } from '../accounts/token.ts';
import type { AuthenticateParts } from '../orgs/authenticate.ts';
import { believer } from '../orgs/believe.ts';
import { isGood, signedInLookUp, type SignedIn } from './find-signed-in.ts';

/** Finds whose session a token is that came from an address. */
export type AuthenticateSession = (token: string, address: string) => Promise<SignedIn | undefined>;

/** Whoever is taken out of an organization, gets another role there or is signed out is so within a second. */
export function sessionAuthenticator(parts: AuthenticateParts): AuthenticateSession {
  const { database, clock, onError } = parts;
  const believe = believer('sessions', parts, signedInLookUp(database, clock, onError));
  return async (token, address) => {
    const found = await believe(hashToken(token), address);
    return found !== undefined && isGood(found, clock.now()) ? found : undefined;
  };
}
