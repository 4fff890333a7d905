import type { FastifyInstance, FastifyReply } from 'fastify';
import { AccountEmail } from '../../domain/accounts/email.ts';
import { makeLink } from '../../domain/accounts/links.ts';
import { acceptInvitation, findInvitation, type Invited } from '../../domain/members/accept-invitation.ts';
import { sessionOf, type Door } from './door.ts';
import { html } from '../../catalogue/html.ts';
import { actingAs } from './organization-calls.ts';
import { say, sendPage, type AccountPage } from './page.ts';

type Invitation = Invited & { readonly email: string };
interface ByToken {
  readonly Params: { readonly token: string };
}

const gone = say('This invitation leads nowhere now', 'It was used, taken back, or it is too old.', {
  to: '/account',
  label: 'Your account',
});

/** What an invitation's link leads to. It lets in nobody but the account of the address it was sent to. */
export function serveInvitations(scope: FastifyInstance, door: Door): void {
  const { database, clock, parts } = door;
  const find = (token: string) => findInvitation(database, token, clock.now());

  scope.get<ByToken>(
    '/invitation/:token',
    { config: { operation: 'invitation_page', face: 'account' } },
    async (request, reply) => {
      const invitation = await find(request.params.token);
      if (invitation === undefined) return sendPage(reply, 404, gone);
      const session = await sessionOf(door, request);
      if (session !== undefined && !session.awaitsCode) return show(reply, invitation, session.email);
      return sendPage(
        reply,
        200,
        strangerPage(invitation, await hasAccount(door, invitation.email), request.params.token),
      );
    },
  );

  scope.post<ByToken>(
    '/invitation/:token',
    { config: { operation: 'accept_invitation', face: 'account' } },
    async (request, reply) => {
      const session = await sessionOf(door, request);
      if (session === undefined || session.awaitsCode) return reply.redirect('/sign-in', 303);
      const invitation = await find(request.params.token);
      if (invitation === undefined) return sendPage(reply, 404, gone);
      if (invitation.email !== session.email) return show(reply, invitation, session.email);
      const isIn = await acceptInvitation(database, invitation, actingAs(door, session, request));
      return isIn ? reply.redirect('/account', 303) : sendPage(reply, 404, gone);
    },
  );

  // Whoever has the link reads the mail of its address, as with the links that make accounts.
  scope.post<ByToken>(
    '/invitation/:token/account',
    { config: { operation: 'make_account_by_invitation', face: 'account' } },
    async (request, reply) => {
      const invitation = await find(request.params.token);
      if (invitation === undefined) return sendPage(reply, 404, gone);
      if (await hasAccount(door, invitation.email)) return reply.redirect('/sign-in', 303);
      const email = AccountEmail.parse(invitation.email);
      const link = { purpose: 'sign_up', email, userId: null } as const;
      const token = await parts.transact('write', (db) => makeLink(db, link, clock.now()));
      return reply.redirect(`/link/${token}`, 303);
    },
  );
}

const hasAccount = ({ parts }: Door, email: string): Promise<boolean> =>
  parts.transact(
    'read',
    async (db) =>
      (await db.selectFrom('auth.users').select('id').where('email', '=', email).executeTakeFirst()) !==
      undefined,
  );

/** To another user it says for whom it is, and offers nothing. */
const show = (reply: FastifyReply, invitation: Invitation, email: string): FastifyReply =>
  invitation.email === email
    ? sendPage(reply, 200, acceptPage(invitation))
    : sendPage(
        reply,
        403,
        say(
          'This invitation is for somebody else',
          `It is for ${invitation.email}, and you are signed in as ${email}.`,
          { to: '/account', label: 'Your account' },
        ),
      );

const acceptPage = ({ name, mode, role }: Invitation): AccountPage => ({
  title: 'You are invited',
  body: html`<section class="card">
    <h1>You are invited to ${name}</h1>
    <p class="prose">As ${role}${mode === 'test' && html`, in a test organization`}.</p>
    <form method="post"><button class="primary">Accept</button></form>
  </section>`,
});

const strangerPage = ({ name, role, email }: Invitation, isKnown: boolean, token: string): AccountPage => ({
  title: 'You are invited',
  body: html`<section class="card">
    <h1>You are invited to ${name}</h1>
    <p class="prose">
      As ${role}, with the account of ${email}. ${isKnown ? 'Sign in' : 'Make it'}, then open this link again.
    </p>
    ${
      isKnown
        ? html`<p class="prose"><a href="/sign-in">Sign in</a></p>`
        : html`<form method="post" action="/invitation/${token}/account">
            <button class="primary">Make an account</button>
          </form>`
    }
  </section>`,
});
