import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { askForLink } from '../../domain/accounts/ask-for-link.ts';
import { choosePassword } from '../../domain/accounts/choose-password.ts';
import { AccountEmail } from '../../domain/accounts/email.ts';
import { readLink, type Link, type MailedPurpose } from '../../domain/accounts/links.ts';
import { signInByLink } from '../../domain/accounts/sign-in-by-link.ts';
import { fewestCharacters } from '../../domain/accounts/password-rules.ts';
import { enter, formOf, visitorOf, type Door } from './door.ts';
import { html } from '../../catalogue/html.ts';
import { changeLetter, linkLetter } from './letters.ts';
import { field, problem, say, sendPage, type AccountPage } from './page.ts';
import { tooMany } from './sign-in-pages.ts';

const gone = say('This link leads nowhere now', 'It was used, or it is too old. Ask for a new one.', {
  to: '/forgotten',
  label: 'Choose a new password',
});

/** Asking for a link by mail, and choosing a password with it. */
export function serveLinks(scope: FastifyInstance, door: Door): void {
  const { parts, clock, publicUrl } = door;
  const pages: [path: string, purpose: MailedPurpose][] = [['/forgotten', 'password']];
  if (door.signUp === 'open') pages.push(['/sign-up', 'sign_up']);
  for (const [path, purpose] of pages) {
    scope.get(path, { config: { operation: `${purpose}_page`, face: 'account' } }, (_request, reply) =>
      sendPage(reply, 200, askPage(purpose)),
    );
    scope.post(path, { config: { operation: `ask_${purpose}`, face: 'account' } }, (request, reply) =>
      ask(door, purpose, request, reply),
    );
  }

  scope.get<{ Params: { token: string } }>(
    '/link/:token',
    { config: { operation: 'link_page', face: 'account' } },
    async ({ params }, reply) => {
      const link = await parts.transact('read', (db) => readLink(db, params.token, clock.now()));
      if (link === undefined) return sendPage(reply, 404, gone);
      return sendPage(reply, 200, link.purpose === 'sign_in' ? enterPage(link) : choosePage(link));
    },
  );

  scope.post<{ Params: { token: string } }>(
    '/link/:token',
    { config: { operation: 'choose_password', face: 'account' } },
    async (request, reply) => {
      const { token } = request.params;
      const given = { token, password: formOf(request)['password'] ?? '', visitor: visitorOf(request) };
      const link = await parts.transact('read', (db) => readLink(db, token, clock.now()));
      const result =
        link?.purpose === 'sign_in'
          ? await signInByLink(parts, { ...given, link }, clock.now())
          : await choosePassword(parts, given, clock.now());
      if (result.kind === 'gone') return sendPage(reply, 404, gone);
      if (result.kind === 'refused') return sendPage(reply, 400, choosePage(undefined, result.why));
      await enter(door, request, reply, result);
      if ('made' in result && !result.made)
        door.later(() => door.send(changeLetter(result.email, 'password', publicUrl)));
      return reply.redirect(result.session.awaitsCode ? '/sign-in/code' : '/account', 303);
    },
  );
}

/** The same answer whether the address has an account or not; everything that depends on it comes later. */
function ask(door: Door, purpose: MailedPurpose, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const now = door.clock.now();
  const typed = formOf(request)['email'] ?? '';
  const email = AccountEmail.safeParse(typed);
  if (!email.success)
    return sendPage(reply, 400, askPage(purpose, { email: typed, text: 'This is no email address.' }));
  const wait = door.asked.waitOf(request.ip, now);
  if (wait > 0) return tooMany(reply, wait, (text) => askPage(purpose, { email: typed, text }));
  door.asked.add(request.ip, now);
  door.later(async () => {
    const mail = await askForLink(door.parts, { email: email.data, purpose }, now);
    if (mail !== undefined) await door.send(linkLetter(mail, door.publicUrl));
  });
  const text =
    purpose === 'sign_up'
      ? `A link to choose a password is on its way to ${email.data}.`
      : `If ${email.data} has an account, a link to choose a new password is on its way there.`;
  return sendPage(reply, 200, say('Look into your mail', text, { to: '/sign-in', label: 'Sign in' }));
}

const askPage = (
  purpose: MailedPurpose,
  again?: { readonly email: string; readonly text: string },
): AccountPage => {
  const isNew = purpose === 'sign_up';
  const title = isNew ? 'Make an account' : 'Choose a new password';
  return {
    title,
    body: html`<section class="card">
      <h1>${title}</h1>
      <p class="prose">We send a link to your address that lets you choose a password.</p>
      ${problem(again?.text)}
      <form method="post" action="${isNew ? '/sign-up' : '/forgotten'}">
        ${field({
          name: 'email',
          label: 'Email',
          type: 'email',
          autocomplete: 'username',
          value: again?.email ?? '',
          focus: true,
        })}<button class="primary">Send the link</button>
      </form>
    </section>`,
    foot: html`<a href="/sign-in">Sign in</a>`,
  };
};

/** Its form posts to the page's own address. */
const choosePage = (link?: Link, text?: string): AccountPage => ({
  title: 'Choose a password',
  body: html`<section class="card">
    <h1>Choose a password</h1>
    ${link !== undefined && html`<p class="prose">For ${link.email}.</p>`}${problem(text)}
    <form method="post">
      ${field({
        name: 'password',
        label: 'New password',
        type: 'password',
        autocomplete: 'new-password',
        hint: `At least ${fewestCharacters} characters. A few words that do not belong together are good.`,
        focus: true,
      })}<button class="primary">Save the password</button>
    </form>
  </section>`,
});

const enterPage = ({ email }: Link): AccountPage => ({
  title: 'Sign in',
  body: html`<section class="card">
    <h1>Sign in</h1>
    <p class="prose">As ${email}. The link works once.</p>
    <form method="post"><button class="primary">Sign in</button></form>
  </section>`,
});
