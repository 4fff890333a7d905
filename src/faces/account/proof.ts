import type { FastifyReply, FastifyRequest } from 'fastify';
import { confirmOwner, type Confirmed } from '../../domain/accounts/confirm-owner.ts';
import type { Session } from '../../domain/accounts/session.ts';
import { takeCode } from '../../domain/accounts/take-code.ts';
import { deviceToken } from './cookies.ts';
import { formOf, type Door } from './door.ts';
import { html, type Html } from '../../catalogue/html.ts';
import { mustWait } from './page.ts';

export interface LackingProof {
  readonly status: 401 | 429;
  readonly text: string;
}

/** What is wrong with the password that was asked for once more, if anything. */
export async function lackingPassword(
  door: Door,
  session: Session,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<LackingProof | undefined> {
  const given = { password: formOf(request)['current'] ?? '', address: request.ip };
  const confirmed = await confirmOwner(door.parts, session, given, door.clock.now());
  return lacking(confirmed, 'The current password is not right.', reply);
}

/** The same, and of the code too where the account takes one. */
export async function lackingProof(
  door: Door,
  session: Session,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<LackingProof | undefined> {
  const lacks = await lackingPassword(door, session, request, reply);
  if (lacks !== undefined || !session.hasTwoSteps) return lacks;
  const { userId, email } = session;
  const code = formOf(request)['code'] ?? '';
  const given = { userId, email, code, device: deviceToken(request), address: request.ip };
  const { transact, keys } = door.parts;
  const taken = await transact('write', (db) => takeCode(db, keys, given, door.clock.now()));
  return lacking(taken, 'The code is not right, or it was used already.', reply);
}

function lacking(judged: Confirmed, text: string, reply: FastifyReply): LackingProof | undefined {
  if (judged.kind === 'right') return undefined;
  if (judged.kind === 'wrong') return { status: 401, text };
  reply.header('Retry-After', String(judged.seconds));
  return { status: 429, text: mustWait(judged.seconds) };
}

/** The fields for it. A page may have several of these forms, so each has ids of its own. */
export const passwordField = (form: string): Html =>
  html`<div class="field">
    <label for="now-${form}">Current password</label
    ><input id="now-${form}" name="current" type="password" autocomplete="current-password" required />
  </div>`;

export const proofFields = (form: string, hasTwoSteps: boolean): Html =>
  html`${passwordField(form)}${
    hasTwoSteps &&
    html`<div class="field">
      <label for="code-${form}">Code from your app</label
      ><input id="code-${form}" name="code" autocomplete="one-time-code" required />
    </div>`
  }`;
