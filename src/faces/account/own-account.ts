import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { changeRights } from '../../domain/accounts/change-rights.ts';
import { AccountEmail } from '../../domain/accounts/email.ts';
import { noteAct } from '../../domain/accounts/note-act.ts';
import { whyNotPassword } from '../../domain/accounts/password-rules.ts';
import { isLinked } from '../../domain/accounts/identities.ts';
import { listPasskeys } from '../../domain/accounts/passkeys.ts';
import { countRecoveryCodes } from '../../domain/accounts/recovery-codes.ts';
import { endSession, endSessions, listSessions, type Session } from '../../domain/accounts/session.ts';
import { organizationsOf } from '../../domain/members/find-signed-in.ts';
import { accountPage, type AccountView } from './account-page.ts';
import { clearSession } from './cookies.ts';
import { enter, formOf, sessionOf, visitorOf, type Door } from './door.ts';
import { changeLetter } from './letters.ts';
import { takeNext } from './next-page.ts';
import { sendPage } from './page.ts';
import { lackingPassword } from './proof.ts';

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
  { parts, clock, provider, database }: Door,
  session: Session,
  reply: FastifyReply,
  again?: { readonly status: number } & NonNullable<AccountView['wrong']>,
): Promise<FastifyReply> {
  const { userId, email, hasTwoSteps, hasPassword } = session;
  const view = await parts.transact('read', async (db) => ({
    sessions: await listSessions(db, userId, clock.now()),
    passkeys: await listPasskeys(db, userId),
    provider: provider && {
      name: provider.name,
      linked: await isLinked(db, userId, provider.issuer),
    },
    recoveryCodes: hasTwoSteps ? await countRecoveryCodes(db, userId) : 0,
  }));
  const page = accountPage({
    ...view,
    organizations: await organizationsOf(database, userId),
    email,
    hasTwoSteps,
    hasPassword,
    ownSession: session.id,
    ...(again !== undefined && { wrong: again }),
  });
  return sendPage(reply, again?.status ?? 200, page);
}

/** A user's own account: sessions and password. */
export function serveOwnAccount(scope: FastifyInstance, door: Door): void {
  const { parts, clock } = door;
  const on = (method: 'GET' | 'POST', url: string, operation: string, act: Signed): void =>
    void scope.route({ method, url, config: { operation, face: 'account' }, handler: signedIn(door, act) });

  // Whoever had to sign in first goes on to what they came for.
  on('GET', '/account', 'account_page', async (session, request, reply) => {
    const next = takeNext(request, reply);
    return next === undefined ? showAccount(door, session, reply) : reply.redirect(next, 303);
  });

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
      return showAccount(door, session, reply, { status: 400, form: 'password', text: why });
    const lacks = await lackingPassword(door, session, request, reply);
    if (lacks !== undefined) return showAccount(door, session, reply, { ...lacks, form: 'password' });
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
