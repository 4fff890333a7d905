import { noteAct } from './note-act.ts';
import type { AccountParts, MustWait, Opened } from './parts.ts';
import { endSession, openSession, type Session, type Visitor } from './session.ts';
import { takeCode } from './take-code.ts';

/** The second step: the session that awaited the code ends, and one under a new token begins. */
export const enterCode = (
  { transact, keys }: AccountParts,
  waiting: Session,
  given: { readonly code: string; readonly device: string | undefined; readonly visitor: Visitor },
  now: Date,
): Promise<Opened | MustWait | { kind: 'wrong' }> =>
  transact('write', async (db) => {
    const { userId, email } = waiting;
    const { visitor, ...code } = given;
    const taken = await takeCode(db, keys, { userId, email, ...code, address: visitor.address }, now);
    if (taken.kind !== 'right') return taken;
    // Gone if a new password was chosen meanwhile, or if the same code came twice.
    if (!(await endSession(db, userId, waiting.id))) return { kind: 'wrong' };
    const session = await openSession(db, { id: userId, awaitsCode: false }, visitor, now);
    await noteAct(db, { userId, act: 'signed_in', sessionId: session.id, address: visitor.address }, now);
    return { kind: 'opened', session, email };
  });
