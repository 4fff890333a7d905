import type { Database } from '../../database/pool.ts';
import type { Keyring } from '../../database/work.ts';
import type { Passwords } from './passwords.ts';
import type { OpenedSession } from './session.ts';

/** What everything about accounts works with. */
export interface AccountParts {
  /** A transaction as the role of accounts. */
  readonly transact: <T>(access: 'read' | 'write', work: (db: Database) => Promise<T>) => Promise<T>;
  readonly keys: Keyring;
  readonly passwords: Passwords;
}

/** Too many attempts: nothing was looked at. */
export interface MustWait {
  readonly kind: 'wait';
  readonly seconds: number;
}

/** Somebody is signed in, or has the second step before them. */
export interface Opened {
  readonly kind: 'opened';
  readonly session: OpenedSession;
  readonly email: string;
}
