import type { Database } from '../../database/pool.ts';
import { hashSecret, isSecret, type KeyRecord } from './api-key.ts';
import { believer, type BelieveParts } from './believe.ts';
import { isGood, keyLookUp } from './look-up-key.ts';

export interface AuthenticateParts extends BelieveParts {
  readonly database: Database;
  readonly onError: (error: unknown) => void;
}

/** Finds the holder of a secret that came from an address. */
export type Authenticate = (secret: string, address: string) => Promise<KeyRecord | undefined>;

export function authenticator(parts: AuthenticateParts): Authenticate {
  const { database, clock, onError } = parts;
  const believe = believer('keys', parts, keyLookUp(database, clock, onError));
  return async (secret, address) => {
    if (!isSecret(secret)) return undefined;
    const record = await believe(hashSecret(secret), address);
    return record !== undefined && isGood(record, clock.now()) ? record : undefined;
  };
}
