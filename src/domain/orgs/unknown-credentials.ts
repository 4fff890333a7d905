import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';
import { fewAtOnce } from '../../kernel/few-at-once.ts';
import type { OnShed } from '../../kernel/shed.ts';
import { failedAttempts } from './failed-attempts.ts';

const retrySeconds = 2;
const heldMs = 500;
const mostHeld = 1_000;

export interface UnknownLimits {
  /** How many may fail in a minute, for each address. */
  readonly perMinute: number;
  /** How many connections their look-ups may hold. */
  readonly atOnce: number;
}

export type AskForUnknown<Found> = (
  name: string,
  address: string,
  lookUp: () => Promise<Found | undefined>,
) => Promise<Found | undefined>;

/** What a refusal calls the credentials. */
export type CredentialKind = 'keys' | 'sessions' | 'tokens' | 'pages';

/** Looks up those that were not good lately: some a minute for each address, few at once, and the same one once. */
export function unknownCredentials<Found>(
  kind: CredentialKind,
  limits: UnknownLimits,
  clock: Clock,
  onShed: OnShed,
): AskForUnknown<Found> {
  const failed = failedAttempts(limits.perMinute);
  const asked = new Map<string, Promise<Found | undefined>>();
  const inTurn = fewAtOnce(limits.atOnce, () => {
    onShed('unknown_keys_at_once');
    return new Failure('unavailable', `Too many ${kind} are being looked up right now. Try again shortly.`, {
      retryAfterSeconds: retrySeconds,
    });
  });

  function refusalFor(address: string): Failure | undefined {
    const seconds = failed.waitOf(address, clock.now());
    if (seconds === 0) return undefined;
    onShed('unknown_keys');
    return new Failure(
      'rate_limited',
      `Too many unknown ${kind} came from this address in this minute; wait ${seconds} seconds.`,
      { retryAfterSeconds: seconds },
    );
  }

  let held = 0;
  /** Refuses late: whoever waits for the answer before the next try keeps nobody busy. */
  async function refuseLate(refusal: Failure): Promise<never> {
    if (held >= mostHeld) throw refusal;
    held++;
    await pause(heldMs);
    held--;
    throw refusal;
  }

  return async (name, address, lookUp) => {
    let answer = asked.get(name);
    if (answer === undefined) {
      const refusal = refusalFor(address);
      if (refusal !== undefined) return refuseLate(refusal);
      answer = inTurn(async () => {
        const meanwhile = refusalFor(address); // others from there may have failed while this one waited
        if (meanwhile !== undefined) throw meanwhile;
        const record = await lookUp();
        if (record === undefined) failed.add(address, clock.now());
        return record;
      }).finally(() => asked.delete(name));
      asked.set(name, answer);
    }
    return answer;
  };
}
