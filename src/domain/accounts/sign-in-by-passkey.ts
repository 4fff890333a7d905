import type { Database } from '../../database/pool.ts';
import type { Keyring } from '../../database/work.ts';
import { newChallenge, takeChallenge } from './challenge.ts';
import { forgetEnded } from './links.ts';
import { noteAct } from './note-act.ts';
import type { AccountParts, Opened } from './parts.ts';
import { openSession, type Visitor } from './session.ts';
import { isSignedBy, readAuthenticatorData, readClientData, type Signed, type Site } from './webauthn.ts';

/** What a browser answers when its owner chose a passkey. */
export interface ShownPasskey extends Signed {
  readonly credentialId: Buffer;
  /** Whose the authenticator says it is. */
  readonly userHandle: Buffer;
}

const purpose = 'signing in';

export const challengeForSignIn = (keys: Keyring, now: Date): string => newChallenge(keys, purpose, now);

/** What an authenticator keeps of the user: the id, which tells nobody anything. */
export const userHandle = (userId: string): Buffer => Buffer.from(userId.replaceAll('-', ''), 'hex');

/** Signs in by a passkey. The authenticator is what somebody has, and it verified its owner: no code is asked for. */
export const signInByPasskey = (
  { transact, keys }: AccountParts,
  { site, shown, visitor }: { readonly site: Site; readonly shown: ShownPasskey; readonly visitor: Visitor },
  now: Date,
): Promise<Opened | { kind: 'wrong' }> =>
  transact('write', async (db) => {
    await forgetEnded(db, now);
    const wrong = { kind: 'wrong' } as const;
    const challenge = readClientData(shown.clientData, 'webauthn.get', site);
    const data = readAuthenticatorData(shown.authenticatorData, site);
    const passkey = await findPasskey(db, shown.credentialId);
    if (challenge === undefined || data === undefined || passkey === undefined) return wrong;
    if (!shown.userHandle.equals(userHandle(passkey.user_id))) return wrong;
    if (!isSignedBy(passkey.public_key, shown)) return wrong;
    // Held, so that whatever changes the account's rights meanwhile ends this session too or lets none come to be.
    const user = await db
      .selectFrom('auth.users')
      .select(['id', 'email'])
      .where('id', '=', passkey.user_id)
      .forUpdate()
      .executeTakeFirst();
    if (user === undefined || !(await takeChallenge(db, keys, { challenge, purpose }, now))) return wrong;
    if (!(await countUse(db, passkey.id, data.counter, now))) {
      await noteAct(db, { userId: user.id, act: 'passkey_copied', address: visitor.address }, now);
      return wrong;
    }
    const session = await openSession(db, { id: user.id, awaitsCode: false }, visitor, now);
    const act = { userId: user.id, act: 'signed_in', sessionId: session.id } as const;
    await noteAct(db, { ...act, address: visitor.address }, now);
    return { kind: 'opened', session, email: user.email };
  });

const findPasskey = (db: Database, credentialId: Buffer) =>
  db
    .selectFrom('auth.passkeys')
    .select(['id', 'user_id', 'public_key'])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();

/** False if the passkey is gone, or has not counted on: then a copy of it was used elsewhere. 0 is said by those that never count. */
async function countUse(db: Database, id: string, counter: number, now: Date): Promise<boolean> {
  const counted = await db
    .updateTable('auth.passkeys')
    .set({ counter, used_at: now })
    .where('id', '=', id)
    .where('counter', counter === 0 ? '=' : '<', counter)
    .executeTakeFirst();
  return counted.numUpdatedRows > 0n;
}
