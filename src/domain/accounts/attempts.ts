import { sql } from 'kysely';
import type { Database } from '../../database/pool.ts';
import type { Keyring } from '../../database/work.ts';

export interface AttemptLimit {
  readonly most: number;
  readonly withinMs: number;
}

const hour = 3_600_000;
const day = 24 * hour;

/** How often each kind of thing may be tried before somebody has to wait. */
const limits = {
  /** Passwords for one address, from browsers that never signed in to it. */
  'password by strangers': { most: 20, withinMs: hour },
  /** Passwords for one address, from one browser that did. */
  'password by a known device': { most: 20, withinMs: hour },
  /** A signed-in user's own password, asked for again. */
  'password again': { most: 20, withinMs: hour },
  /** Codes of the second step. A guess meets one of the three that are good with a chance of 3 in a million. */
  'code by strangers': { most: 10, withinMs: day },
  'code by a known device': { most: 10, withinMs: day },
  /** The code of the first account, from everywhere. */
  'setup code': { most: 20, withinMs: hour },
  /** Mails to one address that somebody asked for who is not signed in. */
  mail: { most: 3, withinMs: hour },
  /** Clients that register themselves, from one network. */
  registration: { most: 50, withinMs: hour },
} satisfies Record<string, AttemptLimit>;

/** What is counted together: the kind, and whom it is about. */
export interface Attempt {
  readonly kind: keyof typeof limits;
  readonly about: string;
}

/** The key of a count: a keyed hash, because those who never had an account leave their address here too. */
const keyOf = (keys: Keyring, { kind, about }: Attempt): Buffer =>
  keys.mac('attempts at accounts', Buffer.from(`${kind}\0${about}`));

/**
 * Counts an attempt before it is made, so that many at once are no more than one after another. The seconds to wait if
 * there were too many, else 0.
 */
export async function takeAttempt(db: Database, keys: Keyring, attempt: Attempt, now: Date): Promise<number> {
  const { most, withinMs } = limits[attempt.kind];
  const ends = new Date(now.getTime() + withinMs);
  const { rows } = await sql<{ count: number; ends_at: Date }>`
    insert into auth.attempts as a (key, count, ends_at) values (${keyOf(keys, attempt)}, 1, ${ends})
    on conflict (key) do update set
      count = case when a.ends_at <= ${now} then 1 else a.count + 1 end,
      ends_at = case when a.ends_at <= ${now} then ${ends} else a.ends_at end
    returning count, ends_at`.execute(db);
  const { count, ends_at } = rows[0]!;
  return count <= most ? 0 : Math.ceil((ends_at.getTime() - now.getTime()) / 1000);
}

/** Forgets attempts once one of them was right. */
export async function forgiveAttempts(
  db: Database,
  keys: Keyring,
  ...attempts: readonly Attempt[]
): Promise<void> {
  const forgiven = attempts.map((attempt) => keyOf(keys, attempt));
  await db.deleteFrom('auth.attempts').where('key', 'in', forgiven).execute();
}
