import type { Clock } from '../../kernel/clock.ts';
import type { OnShed } from '../../kernel/shed.ts';
import { goodCredentials } from './good-credentials.ts';
import { unknownCredentials, type CredentialKind, type UnknownLimits } from './unknown-credentials.ts';

const believedForMs = 500; // taking a right away must work within a second on every process
const mostRemembered = 10_000;

export interface BelieveParts {
  readonly clock: Clock;
  readonly unknown: UnknownLimits;
  readonly onShed: OnShed;
}

/** Finds what belongs to the hash of a secret that came from an address. */
export type Believe<Found> = (hash: Buffer, address: string) => Promise<Found | undefined>;

/**
 * A credential that was good lately costs at most two queries a second, and is asked for whatever else comes from its
 * address. Any other is asked for within the limits of unknown ones.
 */
export function believer<Found>(
  kind: CredentialKind,
  { clock, unknown, onShed }: BelieveParts,
  lookUp: (hash: Buffer) => Promise<Found | undefined>,
): Believe<Found> {
  const good = goodCredentials<Found>(mostRemembered);
  const askForUnknown = unknownCredentials<Found>(kind, unknown, clock, onShed);

  /** Remembers what it finds, from the moment it began: the row may be changed right after it was read. */
  async function ask(name: string, hash: Buffer): Promise<Found | undefined> {
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

  return async (hash, address) => {
    const name = hash.toString('base64');
    const now = clock.now().getTime();
    const believed = good.find(name, now);
    if (believed === undefined) return askForUnknown(name, address, () => ask(name, hash));
    return believed.until > now ? believed.record : ask(name, hash);
  };
}
