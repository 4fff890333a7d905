import type { Database } from '../../database/pool.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { OnShed } from '../../kernel/shed.ts';
import { hashSecret, isSecret, type KeyRecord } from './api-key.ts';
import { goodKeys } from './good-keys.ts';
import { isGood, keyLookUp } from './look-up-key.ts';
import { unknownKeys, type UnknownKeyLimits } from './unknown-keys.ts';

const believedForMs = 500; // revoking must work within a second on every process
const mostRemembered = 10_000;

export interface AuthenticateParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly unknown: UnknownKeyLimits;
  readonly onShed: OnShed;
  readonly onError: (error: unknown) => void;
}

/** Finds the holder of a secret that came from an address. */
export type Authenticate = (secret: string, address: string) => Promise<KeyRecord | undefined>;

/**
 * A key that was good lately costs at most two queries a second, and is asked for whatever else comes from its address.
 * Any other key is asked for within the limits of unknown ones.
 */
export function authenticator({
  database,
  clock,
  unknown,
  onShed,
  onError,
}: AuthenticateParts): Authenticate {
  const good = goodKeys(mostRemembered);
  const lookUp = keyLookUp(database, clock, onError);
  const askForUnknown = unknownKeys(unknown, clock, onShed);

  /** Remembers what it finds, from the moment it began: the row may be changed right after it was read. */
  async function ask(name: string, hash: Buffer): Promise<KeyRecord | undefined> {
    const now = clock.now().getTime();
    const record = lookUp(hash);
    good.renew(name, { record, until: now + believedForMs });
    const found = await record.catch((error: unknown) => {
      good.renew(name, { record, until: now });
      throw error;
    });
    if (found === undefined) good.drop(name);
    else good.keep(name, { record, until: now + believedForMs }, now);
    return found;
  }

  return async (secret, address) => {
    if (!isSecret(secret)) return undefined;
    const hash = hashSecret(secret);
    const name = hash.toString('base64');
    const now = clock.now().getTime();
    const believed = good.find(name, now);
    let record: KeyRecord | undefined;
    if (believed === undefined) record = await askForUnknown(name, address, () => ask(name, hash));
    else record = await (believed.until > now ? believed.record : ask(name, hash));
    return record !== undefined && isGood(record, clock.now()) ? record : undefined;
  };
}
