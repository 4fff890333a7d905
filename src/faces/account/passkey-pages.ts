import type { FastifyInstance, FastifyRequest } from 'fastify';
import { changeRights } from '../../domain/accounts/change-rights.ts';
import { noteAct } from '../../domain/accounts/note-act.ts';
import {
  addPasskey,
  challengeForNew,
  listPasskeys,
  removePasskey,
  renamePasskey,
} from '../../domain/accounts/passkeys.ts';
import { userHandle } from '../../domain/accounts/sign-in-by-passkey.ts';
import { algorithms } from '../../domain/accounts/webauthn.ts';
import { browserOf } from './account-page.ts';
import { enter, formOf, visitorOf, type Door } from './door.ts';
import { changeLetter } from './letters.ts';
import { showAccount, signedIn } from './own-account.ts';
import { say, sendPage } from './page.ts';
import { changePage, makePage, type ListedPasskey } from './passkey-forms.ts';
import { lackingProof } from './proof.ts';

const notAdded = say(
  'The passkey was not added',
  'It took too long, your account has this one or too many already, or the device does not check who uses it.',
  { to: '/account', label: 'Your account' },
);
const gone = say('You have no such passkey', 'It may have been removed.', {
  to: '/account',
  label: 'Your account',
});

/** A user's passkeys: add, name, remove. */
export function servePasskeys(scope: FastifyInstance, door: Door): void {
  const { parts, clock, publicUrl, site } = door;
  const on = (
    method: 'GET' | 'POST',
    url: string,
    operation: string,
    act: Parameters<typeof signedIn>[1],
  ): void =>
    void scope.route({ method, url, config: { operation, face: 'account' }, handler: signedIn(door, act) });
  const find = async (userId: string, request: FastifyRequest): Promise<ListedPasskey | undefined> => {
    const { passkey_id: wanted } = request.params as { passkey_id: string };
    const passkeys = await parts.transact('read', (db) => listPasskeys(db, userId));
    return passkeys.find(({ id }) => id === wanted);
  };

  on('POST', '/account/passkeys', 'begin_passkey', async (session, request, reply) => {
    const lacks = await lackingProof(door, session, request, reply);
    if (lacks !== undefined) return showAccount(door, session, reply, { ...lacks, form: 'passkeys' });
    const { userId, email } = session;
    const passkeys = await parts.transact('read', (db) => listPasskeys(db, userId));
    const options = {
      challenge: challengeForNew(parts.keys, session, clock.now()),
      host: site.host,
      handle: userHandle(userId).toString('base64url'),
      email,
      algorithms: Object.values(algorithms),
      known: passkeys.map(({ credential_id: id }) => id.toString('base64url')),
    };
    return sendPage(reply, 200, makePage(options, browserOf(visitorOf(request).agent)));
  });

  on('POST', '/account/passkeys/add', 'add_passkey', async (session, request, reply) => {
    const given = {
      name: formOf(request)['name'] ?? '',
      clientData: bytesIn(request, 'client_data'),
      authenticatorData: bytesIn(request, 'authenticator_data'),
      publicKey: bytesIn(request, 'public_key'),
    };
    const about = { act: 'passkey_added', visitor: visitorOf(request) } as const;
    const done = await changeRights(parts, session, about, clock.now(), (db) =>
      addPasskey(db, parts.keys, { session, site, given }, clock.now()),
    );
    if (done === undefined) return sendPage(reply, 400, notAdded);
    await enter(door, request, reply, { session: done.session, email: session.email });
    door.later(() => door.send(changeLetter(session.email, 'passkey_added', publicUrl)));
    return reply.redirect('/account', 303);
  });

  on('GET', '/account/passkeys/:passkey_id', 'passkey_page', async (session, request, reply) => {
    const passkey = await find(session.userId, request);
    if (passkey === undefined) return sendPage(reply, 404, gone);
    return sendPage(reply, 200, changePage(passkey, session.hasTwoSteps));
  });

  on('POST', '/account/passkeys/:passkey_id/name', 'rename_passkey', async (session, request, reply) => {
    const { userId } = session;
    const passkey = await find(userId, request);
    if (passkey === undefined) return sendPage(reply, 404, gone);
    await parts.transact('write', async (db) => {
      if (!(await renamePasskey(db, userId, { id: passkey.id, name: formOf(request)['name'] ?? '' }))) return;
      const act = { userId, act: 'passkey_renamed', sessionId: session.id, address: request.ip } as const;
      await noteAct(db, act, clock.now());
    });
    return reply.redirect('/account', 303);
  });

  on('POST', '/account/passkeys/:passkey_id/remove', 'remove_passkey', async (session, request, reply) => {
    const passkey = await find(session.userId, request);
    if (passkey === undefined) return sendPage(reply, 404, gone);
    const lacks = await lackingProof(door, session, request, reply);
    if (lacks !== undefined)
      return sendPage(reply, lacks.status, changePage(passkey, session.hasTwoSteps, lacks.text));
    const about = { act: 'passkey_removed', visitor: visitorOf(request) } as const;
    const done = await changeRights(parts, session, about, clock.now(), (db) =>
      removePasskey(db, session.userId, passkey.id),
    );
    if (done === undefined) return reply.redirect('/account', 303);
    await enter(door, request, reply, { session: done.session, email: session.email });
    door.later(() => door.send(changeLetter(session.email, 'passkey_removed', publicUrl)));
    return reply.redirect('/account', 303);
  });
}

/** A field that the script filled; what is no base64url gives bytes that fit nothing. */
export const bytesIn = (request: FastifyRequest, name: string): Buffer =>
  Buffer.from(formOf(request)[name] ?? '', 'base64url');
