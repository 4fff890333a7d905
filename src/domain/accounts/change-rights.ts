import type { Database } from '../../database/pool.ts';
import { noteAct, type AccountAct } from './note-act.ts';
import type { AccountParts } from './parts.ts';
import { endSessions, openSession, type OpenedSession, type Session, type Visitor } from './session.ts';

/**
 * Changes what protects an account, for a user whose session is still good. Every session ends, and the caller's goes on
 * under a new token: whoever had the old one is out. Nothing, if the session ended meanwhile or `change` declined.
 */
export const changeRights = <T>(
  { transact }: AccountParts,
  { id, userId }: Session,
  { act, visitor }: { readonly act: AccountAct; readonly visitor: Visitor },
  now: Date,
  change: (db: Database) => Promise<T | undefined>,
): Promise<{ readonly changed: T; readonly session: OpenedSession } | undefined> =>
  transact('write', async (db) => {
    // Held like at signing in, so that of two changes at once one comes after the other.
    await db.selectFrom('auth.users').select('id').where('id', '=', userId).forUpdate().execute();
    const own = await db
      .selectFrom('auth.sessions')
      .select('id')
      .where('id', '=', id)
      .where('awaits_code', '=', false)
      .executeTakeFirst();
    const changed = own && (await change(db));
    if (changed === undefined) return undefined;
    await endSessions(db, userId);
    const session = await openSession(db, { id: userId, awaitsCode: false }, visitor, now);
    await noteAct(db, { userId, act, sessionId: session.id, address: visitor.address }, now);
    return { changed, session };
  });
