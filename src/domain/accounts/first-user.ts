import { randomBytes } from 'node:crypto';
import type { Database } from '../../database/pool.ts';
import { newId } from '../../kernel/ids.ts';
import { isSameText } from '../../kernel/same-text.ts';
import { takeAttempt } from './attempts.ts';
import type { AccountEmail } from './email.ts';
import { noteAct } from './note-act.ts';
import { whyNotPassword } from './password-rules.ts';
import type { AccountParts, MustWait, Opened } from './parts.ts';
import { openSession, type Visitor } from './session.ts';
import { spell } from './totp.ts';

const place = 'code of the first user';
const codeBytes = 15;

type Parts = Pick<AccountParts, 'transact' | 'keys'>;

/** The code by which the first account is made, the same at every process; nothing once somebody has an account. */
export const offerSetup = ({ transact, keys }: Parts): Promise<string | undefined> =>
  transact('write', async (db) => {
    if (await hasUsers(db)) return undefined;
    const code = keys.stored.seal(Buffer.from(spell(randomBytes(codeBytes))), place);
    await db
      .insertInto('auth.setup')
      .values({ code })
      .onConflict((there) => there.doNothing())
      .execute();
    return codeOf(db, { keys });
  });

/** Whether the first account is still to be made. */
export const isOffered = ({ transact }: Parts): Promise<boolean> =>
  transact('read', async (db) => {
    const offer = await db.selectFrom('auth.setup').select('one').executeTakeFirst();
    return offer !== undefined && !(await hasUsers(db));
  });

export interface FirstUser {
  readonly code: string;
  readonly email: AccountEmail;
  readonly password: string;
  readonly visitor: Visitor;
}

/** Makes the first account, for whoever reads the log. Nobody else needs to prove the address: there is no mail yet. */
export async function makeFirstUser(
  parts: AccountParts,
  { code, email, password, visitor }: FirstUser,
  now: Date,
): Promise<Opened | MustWait | { kind: 'gone' | 'wrong' } | { kind: 'refused'; why: string }> {
  const { transact, keys, passwords } = parts;
  const attempt = { kind: 'setup code', about: '' } as const;
  const seconds = await transact('write', (db) => takeAttempt(db, keys, attempt, now));
  if (seconds > 0) return { kind: 'wait', seconds };
  const right = await transact('read', (db) => codeOf(db, parts));
  if (right === undefined) return { kind: 'gone' };
  if (!isSameText(plain(code), right)) return { kind: 'wrong' };
  const why = await whyNotPassword(password, email);
  if (why !== undefined) return { kind: 'refused', why };
  const hash = await passwords.hash(password, visitor.address);
  return transact('write', async (db) => {
    // Of two at once, one finds it.
    const taken = await db.deleteFrom('auth.setup').executeTakeFirst();
    if (taken.numDeletedRows === 0n || (await hasUsers(db))) return { kind: 'gone' };
    const id = newId(now);
    await db.insertInto('auth.users').values({ id, email, password: hash, created_at: now }).execute();
    const session = await openSession(db, { id, awaitsCode: false }, visitor, now);
    const act = { userId: id, act: 'installation_set_up', sessionId: session.id } as const;
    await noteAct(db, { ...act, address: visitor.address }, now);
    return { kind: 'opened', session, email };
  });
}

async function hasUsers(db: Database): Promise<boolean> {
  return (await db.selectFrom('auth.users').select('id').limit(1).executeTakeFirst()) !== undefined;
}

async function codeOf(db: Database, { keys }: Pick<Parts, 'keys'>): Promise<string | undefined> {
  const offer = await db.selectFrom('auth.setup').select('code').executeTakeFirst();
  return offer && keys.stored.open(offer.code, place)?.toString();
}

const plain = (code: string): string => code.toUpperCase().replaceAll(/[^A-Z2-7]/g, '');
