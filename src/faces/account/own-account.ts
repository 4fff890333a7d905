import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { changeRights } from '../../domain/accounts/change-rights.ts';
import { confirmOwner } from '../../domain/accounts/confirm-owner.ts';
import { AccountEmail } from '../../domain/accounts/email.ts';
import { noteAct } from '../../domain/accounts/note-act.ts';
import { whyNotPassword } from '../../domain/accounts/password-rules.ts';
import { countRecoveryCodes } from '../../domain/accounts/recovery-codes.ts';
import { endSession, endSessions, listSessions, type Session } from '../../domain/accounts/session.ts';
import { accountPage, type AccountView } from './account-page.ts';
import { clearSession } from './cookies.ts';
import { enter, formOf, sessionOf, visitorOf, type Door } from './door.ts';
import { changeLetter } from './letters.ts';
import { mustWait, sendPage } from './page.ts';

type Signed = (session: Session, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Runs for somebody who is signed in; everybody else is sent to the door. */
export const signedIn =
  (door: Door, act: Signed): RouteHandlerMethod =>
  async (request, reply) => {
    const session = await sessionOf(door, request);
    if (session === undefined || session.awaitsCode) return reply.redirect('/sign-in', 303);
    return act(session, request, reply);
  };

/** The account's page, with what was wrong in one of its forms. */
export async function showAccount(
  { parts, clock }: Door,
  session: Session,
  reply: FastifyReply,
  again?: { readonly status: number; readonly wrong: AccountView['wrong'] },
): Promise<FastifyReply> {
  const { userId, email, hasTwoSteps } = session;
  const view = await parts.transact('read', async (db) => ({
    sessions: await listSessions(db, userId, clock.now()),
    recoveryCodes: hasTwoSteps ? await countRecoveryCodes(db, userId) : 0,
  }));
  const page = accountPage({
    ...view,
    email,
    hasTwoSteps,
    ownSession: session.id,
    ...(again?.wrong !== undefined && { wrong: again.wrong }),
  });
  return sendPage(reply, again?.status ?? 200, page);
}

/** Asks for the password once more. Answers by itself, and is true, unless it is right. */
export async function isNotOwner(
  door: Door,
  session: Session,
  form: 'password' | 'two_steps',
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const given = { password: formOf(request)['current'] ?? '', address: request.ip };
  const confirmed = await confirmOwner(door.parts, session, given, door.clock.now());
  if (confirmed.kind === 'right') return false;
  const isWrong = confirmed.kind === 'wrong';
  const text = isWrong ? 'The current password is not right.' : mustWait(confirmed.seconds);
  if (!isWrong) reply.header('Retry-After', String(confirmed.seconds));
  await showAccount(door, session, reply, { status: isWrong ? 401 : 429, wrong: { form, text } });
  return true;
}

/** A user's own account: sessions and password. */
export function serveOwnAccount(scope: FastifyInstance, door: Door): void {
  const { parts, clock } = door;
  const on = (method: 'GET' | 'POST', url: string, operation: string, act: Signed): void =>
    void scope.route({ method, url, config: { operation, face: 'account' }, handler: signedIn(door, act) });

  on('GET', '/account', 'account_page', (session, _request, reply) => showAccount(door, session, reply));

  on('POST', '/account/sign-out', 'sign_out', async (session, request, reply) => {
    await parts.transact('write', async (db) => {
      await endSession(db, session.userId, session.id);
      const act = { userId: session.userId, act: 'signed_out', sessionId: session.id } as const;
      await noteAct(db, { ...act, address: request.ip }, clock.now());
    });
    return clearSession(reply).redirect('/sign-in', 303);
  });

  on('POST', '/account/sessions/:session_id/end', 'end_session', async ({ userId }, request, reply) => {
    const { session_id: id } = request.params as { session_id: string };
    await endOne(door, userId, id, request.ip);
    return reply.redirect('/account', 303);
  });

  on('POST', '/account/sessions/end-others', 'end_other_sessions', async (session, request, reply) => {
    await parts.transact('write', async (db) => {
      await endSessions(db, session.userId, session.id);
      const act = { userId: session.userId, act: 'other_sessions_ended', sessionId: session.id } as const;
      await noteAct(db, { ...act, address: request.ip }, clock.now());
    });
    return reply.redirect('/account', 303);
  });

  on('POST', '/account/password', 'change_password', async (session, request, reply) => {
    const next = formOf(request)['password'] ?? '';
    const email = AccountEmail.parse(session.email);
    const why = await whyNotPassword(next, email);
    if (why !== undefined)
      return showAccount(door, session, reply, { status: 400, wrong: { form: 'password', text: why } });
    if (await isNotOwner(door, session, 'password', request, reply)) return reply;
    const hash = await parts.passwords.hash(next, request.ip);
    const about = { act: 'password_changed', visitor: visitorOf(request) } as const;
    const done = await changeRights(parts, session, about, clock.now(), async (db) => {
      await db.updateTable('auth.users').set({ password: hash }).where('id', '=', session.userId).execute();
      await db.deleteFrom('auth.links').where('user_id', '=', session.userId).execute();
      return true;
    });
    if (done === undefined) return reply.redirect('/sign-in', 303);
    door.later(() => door.send(changeLetter(email, 'password', door.publicUrl)));
    await enter(door, request, reply, { session: done.session, email });
    return reply.redirect('/account', 303);
  });
}

/** Ends one of a user's own sessions. Whether there was one. */
export const endOne = (
  { parts, clock }: Door,
  userId: string,
  id: string,
  address: string,
): Promise<boolean> =>
  parts.transact('write', async (db) => {
    const isId = /^[0-9a-f-]{36}$/i.test(id);
    if (!isId || !(await endSession(db, userId, id))) return false;
    await noteAct(db, { userId, act: 'session_ended', sessionId: id, address }, clock.now());
    return true;
  });
