import { holdLinks, takeLink, type Link } from './links.ts';
import { noteAct } from './note-act.ts';
import type { AccountParts, Opened } from './parts.ts';
import { openSession, type Visitor } from './session.ts';

/** Signs in by a link that an operator made for somebody. The second step is asked for all the same. */
export const signInByLink = (
  { transact }: AccountParts,
  { token, link, visitor }: { readonly token: string; readonly link: Link; readonly visitor: Visitor },
  now: Date,
): Promise<Opened | { kind: 'gone' }> =>
  transact('write', async (db) => {
    const user = await db
      .selectFrom('auth.users')
      .select(['id', 'email', 'totp_since'])
      .where('id', '=', link.userId)
      .forUpdate()
      .executeTakeFirst();
    await holdLinks(db, link.email);
    if (user === undefined || (await takeLink(db, token, now))?.userId !== user.id) return { kind: 'gone' };
    const awaitsCode = user.totp_since !== null;
    const session = await openSession(db, { id: user.id, awaitsCode }, visitor, now);
    const act = awaitsCode ? 'code_asked' : 'signed_in';
    await noteAct(db, { userId: user.id, act, sessionId: session.id, address: visitor.address }, now);
    return { kind: 'opened', session, email: user.email };
  });
