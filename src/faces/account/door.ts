import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionToken } from '../../catalogue/session-cookie.ts';
import type { Database } from '../../database/pool.ts';
import type { Letter } from '../../database/work.ts';
import { AccountEmail } from '../../domain/accounts/email.ts';
import { knownDevice } from '../../domain/accounts/known-device.ts';
import type { AccountParts, Opened } from '../../domain/accounts/parts.ts';
import { endSession, findSession, type Session, type Visitor } from '../../domain/accounts/session.ts';
import type { Site } from '../../domain/accounts/webauthn.ts';
import type { FailedAttempts } from '../../domain/orgs/failed-attempts.ts';
import type { Clock } from '../../kernel/clock.ts';
import { setDevice, setSession } from './cookies.ts';
import type { IdentityProvider } from './provider.ts';

/** What the pages for signing in work with. */
export interface Door {
  readonly parts: AccountParts;
  /** For organizations, each by a transaction of its own. */
  readonly database: Database;
  readonly clock: Clock;
  /** Without a slash at the end. */
  readonly publicUrl: string;
  readonly site: Site;
  readonly signUp: 'open' | 'closed';
  readonly provider?: IdentityProvider | undefined;
  /** Wrong passwords and codes by client address. */
  readonly wrong: FailedAttempts;
  /** Mails asked for by client address. */
  readonly asked: FailedAttempts;
  /** Does something after the answer, so that the answer's time does not tell what there was to do. */
  later(work: () => Promise<void>): void;
  send(letter: Letter): Promise<void>;
}

export const visitorOf = (request: FastifyRequest): Visitor => ({
  address: request.ip,
  agent: (request.headers['user-agent'] ?? '').toWellFormed().replaceAll('\0', '').slice(0, 300),
});

/** The session of the request's cookie, also one that awaits a code. */
export async function sessionOf(
  { parts, clock }: Pick<Door, 'parts' | 'clock'>,
  request: FastifyRequest,
): Promise<Session | undefined> {
  const token = sessionToken(request);
  if (token === undefined) return undefined;
  return parts.transact('write', (db) => findSession(db, token, clock.now()));
}

/** Gives the browser its new session. Whatever it had before ends. */
export async function enter(
  door: Door,
  request: FastifyRequest,
  reply: FastifyReply,
  { session, email }: Omit<Opened, 'kind'>,
): Promise<void> {
  const before = await sessionOf(door, request);
  if (before !== undefined)
    await door.parts.transact('write', (db) => endSession(db, before.userId, before.id));
  setSession(reply, session.token, (session.endsAt.getTime() - door.clock.now().getTime()) / 1000);
  if (!session.awaitsCode) setDevice(reply, knownDevice(door.parts.keys, AccountEmail.parse(email)));
}

/** The fields of a form; one that was not sent is empty. */
export const formOf = (request: FastifyRequest): Readonly<Record<string, string>> =>
  (request.body ?? {}) as Record<string, string>;
