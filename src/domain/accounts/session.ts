import type { Database } from '../../database/pool.ts';
import { newId } from '../../kernel/ids.ts';
import { hashToken, newToken } from './token.ts';

const idleMs = 12 * 3_600_000;
const longestMs = 14 * 86_400_000;
const codeMs = 10 * 60_000;
/** Use is noted this often, not at every call. */
const notedMs = 60_000;

/** Where somebody calls from, as they see it in the list of their sessions. */
export interface Visitor {
  readonly address: string;
  readonly agent: string;
}

export interface Session {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly endsAt: Date;
  readonly awaitsCode: boolean;
  readonly hasTwoSteps: boolean;
  readonly hasPassword: boolean;
}

export interface OpenedSession {
  readonly id: string;
  /** For the cookie; nobody can read it again. */
  readonly token: string;
  readonly endsAt: Date;
  readonly awaitsCode: boolean;
}

/** Signs a user in. One that awaits a code is good for the second step alone, and not for long. */
export async function openSession(
  db: Database,
  user: { readonly id: string; readonly awaitsCode: boolean },
  visitor: Visitor,
  now: Date,
): Promise<OpenedSession> {
  const { awaitsCode } = user;
  const token = newToken();
  const opened = {
    id: newId(now),
    token,
    endsAt: new Date(now.getTime() + (awaitsCode ? codeMs : longestMs)),
    awaitsCode,
  };
  await db
    .insertInto('auth.sessions')
    .values({
      id: opened.id,
      user_id: user.id,
      token_hash: hashToken(token),
      awaits_code: awaitsCode,
      created_at: now,
      used_at: now,
      ends_at: opened.endsAt,
      agent: visitor.agent.slice(0, 300),
      address: visitor.address,
    })
    .execute();
  return opened;
}

/** The session of a token, unless it has ended or was not used for long. Notes that it is used. */
export async function findSession(db: Database, token: string, now: Date): Promise<Session | undefined> {
  const found = await db
    .selectFrom('auth.sessions as s')
    .innerJoin('auth.users as u', 'u.id', 's.user_id')
    .select(['s.id', 's.user_id', 's.ends_at', 's.used_at', 's.awaits_code', 'u.email', 'u.totp_since'])
    .select((eb) => eb('u.password', 'is not', null).as('has_password'))
    .where('s.token_hash', '=', hashToken(token))
    .where('s.ends_at', '>', now)
    .where('s.used_at', '>', idleSince(now))
    .executeTakeFirst();
  if (found === undefined) return undefined;
  await noteUse(db, { id: found.id, usedAt: found.used_at }, now);
  return {
    id: found.id,
    userId: found.user_id,
    email: found.email,
    endsAt: found.ends_at,
    awaitsCode: found.awaits_code,
    hasTwoSteps: found.totp_since !== null,
    hasPassword: Boolean(found.has_password),
  };
}

/** Notes that a session is used, now and then. */
export async function noteUse(
  db: Database,
  { id, usedAt }: { readonly id: string; readonly usedAt: Date },
  now: Date,
): Promise<void> {
  if (now.getTime() - usedAt.getTime() > notedMs)
    await db.updateTable('auth.sessions').set({ used_at: now }).where('id', '=', id).execute();
}

/** Whether a session has neither ended nor been unused for long. */
export const isAlive = (
  { usedAt, endsAt }: { readonly usedAt: Date; readonly endsAt: Date },
  now: Date,
): boolean => endsAt > now && usedAt > idleSince(now);

/** A user's own sessions, those used last first. */
export const listSessions = (db: Database, userId: string, now: Date) =>
  db
    .selectFrom('auth.sessions')
    .select(['id', 'agent', 'address', 'created_at', 'used_at', 'ends_at'])
    .where('user_id', '=', userId)
    .where('awaits_code', '=', false)
    .where('ends_at', '>', now)
    .where('used_at', '>', idleSince(now))
    .orderBy('used_at', 'desc')
    .orderBy('id', 'desc')
    .execute();

/** Ends one of a user's own sessions. Whether there was one. */
export async function endSession(db: Database, userId: string, id: string): Promise<boolean> {
  const ended = await db
    .deleteFrom('auth.sessions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return ended.numDeletedRows > 0n;
}

/** Ends every session of a user but one, if that is named. */
export async function endSessions(db: Database, userId: string, except?: string): Promise<void> {
  let sessions = db.deleteFrom('auth.sessions').where('user_id', '=', userId);
  if (except !== undefined) sessions = sessions.where('id', '<>', except);
  await sessions.execute();
}

const idleSince = (now: Date): Date => new Date(now.getTime() - idleMs);
