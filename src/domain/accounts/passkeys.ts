import type { Database } from '../../database/pool.ts';
import type { Keyring } from '../../database/work.ts';
import { newId } from '../../kernel/ids.ts';
import { newChallenge, takeChallenge } from './challenge.ts';
import type { Session } from './session.ts';
import { readAuthenticatorData, readClientData, readPublicKey, type Site } from './webauthn.ts';

const mostPasskeys = 20;
const longestName = 60;

/** What a browser answers when it made a passkey. */
export interface NewPasskey {
  readonly name: string;
  readonly clientData: Buffer;
  readonly authenticatorData: Buffer;
  readonly publicKey: Buffer;
}

// Bound to the session, so it also proves that its user showed the password within the last minutes.
const purposeOf = ({ id }: Session): string => `new passkey by ${id}`;

export const challengeForNew = (keys: Keyring, session: Session, now: Date): string =>
  newChallenge(keys, purposeOf(session), now);

/**
 * Adds a passkey. Who made the authenticator is not asked for, so nothing vouches for the key but the session: what is
 * checked is that the browser made it for us, for this session, once, and that the authenticator verifies its owner.
 */
export async function addPasskey(
  db: Database,
  keys: Keyring,
  { session, site, given }: { readonly session: Session; readonly site: Site; readonly given: NewPasskey },
  now: Date,
): Promise<true | undefined> {
  const challenge = readClientData(given.clientData, 'webauthn.create', site);
  const data = readAuthenticatorData(given.authenticatorData, site);
  if (challenge === undefined || data?.credentialId === undefined) return undefined;
  if (readPublicKey(given.publicKey) === undefined) return undefined;
  if (!(await takeChallenge(db, keys, { challenge, purpose: purposeOf(session) }, now))) return undefined;
  if ((await listPasskeys(db, session.userId)).length >= mostPasskeys) return undefined;
  const added = await db
    .insertInto('auth.passkeys')
    .values({
      id: newId(now),
      user_id: session.userId,
      credential_id: data.credentialId,
      public_key: given.publicKey,
      counter: data.counter,
      name: nameOf(given.name),
      created_at: now,
    })
    .onConflict((known) => known.column('credential_id').doNothing())
    .executeTakeFirst();
  return added.numInsertedOrUpdatedRows === 1n ? true : undefined;
}

export const listPasskeys = (db: Database, userId: string) =>
  db
    .selectFrom('auth.passkeys')
    .select(['id', 'name', 'credential_id', 'created_at', 'used_at'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();

/** Whether the user has such a passkey. */
export async function renamePasskey(
  db: Database,
  userId: string,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<boolean> {
  const renamed = await db
    .updateTable('auth.passkeys')
    .set({ name: nameOf(name) })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return renamed.numUpdatedRows > 0n;
}

export async function removePasskey(db: Database, userId: string, id: string): Promise<true | undefined> {
  const removed = await db
    .deleteFrom('auth.passkeys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return removed.numDeletedRows > 0n ? true : undefined;
}

const nameOf = (name: string): string => Array.from(name.trim()).slice(0, longestName).join('') || 'Passkey';
