import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { changeRights } from '../../domain/accounts/change-rights.ts';
import { linkIdentity, unlinkIdentity } from '../../domain/accounts/identities.ts';
import type { Session } from '../../domain/accounts/session.ts';
import type { VouchedIdentity } from '../../domain/accounts/sign-in-by-identity.ts';
import { enter, visitorOf, type Door } from './door.ts';
import { changeLetter } from './letters.ts';
import { showAccount, signedIn } from './own-account.ts';
import { sendPage } from './page.ts';
import { failedPage, goPage, linkedElsewhere } from './provider-pages.ts';
import { beginFlow } from './provider-flow.ts';
import type { IdentityProvider } from './provider.ts';
import { lackingProof } from './proof.ts';

/** Link the provider to an account that is there, and unlink it: each asks for what lets its owner in. */
export function serveProviderLink(scope: FastifyInstance, door: Door, provider: IdentityProvider): void {
  const { parts, clock, publicUrl } = door;
  const { name, issuer } = provider;
  const on = (url: string, operation: string, act: Parameters<typeof signedIn>[1]): void =>
    void scope.post(url, { config: { operation, face: 'account' } }, signedIn(door, act));

  on('/account/provider', 'begin_link_provider', async (session, request, reply) => {
    const lacks = await lackingProof(door, session, request, reply);
    if (lacks !== undefined) return showAccount(door, session, reply, { ...lacks, form: 'provider' });
    const url = await beginFlow(door, provider, reply, `link ${session.id}`);
    return sendPage(
      reply,
      url === undefined ? 502 : 200,
      url === undefined ? failedPage(name) : goPage(name, url),
    );
  });

  on('/account/provider/unlink', 'unlink_provider', async (session, request, reply) => {
    const lacks = await lackingProof(door, session, request, reply);
    if (lacks !== undefined) return showAccount(door, session, reply, { ...lacks, form: 'provider' });
    const about = { act: 'identity_unlinked', visitor: visitorOf(request) } as const;
    const done = await changeRights(parts, session, about, clock.now(), (db) =>
      unlinkIdentity(db, session.userId, issuer),
    );
    if (done !== undefined) {
      await enter(door, request, reply, { session: done.session, email: session.email });
      door.later(() => door.send(changeLetter(session.email, 'identity_unlinked', publicUrl)));
    }
    return reply.redirect('/account', 303);
  });
}

/** The end of the way to the provider that began on the account's page. */
export async function linkProvider(
  door: Door,
  {
    provider,
    session,
    vouched,
  }: { readonly provider: IdentityProvider; readonly session: Session; readonly vouched: VouchedIdentity },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { parts, clock, publicUrl } = door;
  const about = { act: 'identity_linked', visitor: visitorOf(request) } as const;
  const done = await changeRights(parts, session, about, clock.now(), (db) =>
    linkIdentity(db, session.userId, vouched, clock.now()),
  );
  if (done === undefined) return sendPage(reply, 409, linkedElsewhere(provider.name));
  await enter(door, request, reply, { session: done.session, email: session.email });
  door.later(() => door.send(changeLetter(session.email, 'identity_linked', publicUrl)));
  return reply.redirect('/account', 303);
}
