import type { FastifyInstance } from 'fastify';
import { AccountEmail } from '../../domain/accounts/email.ts';
import { isOffered, makeFirstUser } from '../../domain/accounts/first-user.ts';
import { fewestCharacters } from '../../domain/accounts/password-rules.ts';
import { enter, formOf, visitorOf, type Door } from './door.ts';
import { html } from '../../catalogue/html.ts';
import { field, problem, say, sendPage, type AccountPage } from './page.ts';
import { tooMany } from './sign-in-pages.ts';

const done = say('This installation is set up', 'Its first account was made.', {
  to: '/sign-in',
  label: 'Sign in',
});

/** The first account of an installation, made once, by whoever can read its log. */
export function serveSetup(scope: FastifyInstance, door: Door): void {
  const { parts, clock } = door;

  scope.get('/setup', { config: { operation: 'setup_page', face: 'account' } }, async (_request, reply) =>
    (await isOffered(parts)) ? sendPage(reply, 200, setupPage()) : sendPage(reply, 404, done),
  );

  scope.post('/setup', { config: { operation: 'set_up', face: 'account' } }, async (request, reply) => {
    const { code = '', email: typed = '', password = '' } = formOf(request);
    const again = (text: string): AccountPage => setupPage({ email: typed, text });
    if (!(await isOffered(parts))) return sendPage(reply, 404, done);
    const email = AccountEmail.safeParse(typed);
    if (!email.success) return sendPage(reply, 400, again('This is no email address.'));
    const given = { code, email: email.data, password, visitor: visitorOf(request) };
    const result = await makeFirstUser(parts, given, clock.now());
    switch (result.kind) {
      case 'wait':
        return tooMany(reply, result.seconds, again);
      case 'gone':
        return sendPage(reply, 404, done);
      case 'wrong':
        return sendPage(reply, 401, again('The code is not the one in the log.'));
      case 'refused':
        return sendPage(reply, 400, again(result.why));
      case 'opened':
        await enter(door, request, reply, result);
        return reply.redirect('/account', 303);
    }
  });
}

const setupPage = (wrong?: { readonly email: string; readonly text: string }): AccountPage => ({
  title: 'Set up Rostrum',
  body: html`<section class="card">
    <h1>Set up Rostrum</h1>
    <p class="prose">Make the first account. The code is in the log of the API, printed when it started.</p>
    ${problem(wrong?.text)}
    <form method="post" action="/setup">
      ${field({ name: 'code', label: 'Code', type: 'text', autocomplete: 'off', focus: true })}
      ${field({
        name: 'email',
        label: 'Email',
        type: 'email',
        autocomplete: 'username',
        value: wrong?.email ?? '',
      })}
      ${field({
        name: 'password',
        label: 'Password',
        type: 'password',
        autocomplete: 'new-password',
        hint: `At least ${fewestCharacters} characters. A few words that do not belong together are good.`,
      })}<button class="primary">Make the account</button>
    </form>
  </section>`,
});
