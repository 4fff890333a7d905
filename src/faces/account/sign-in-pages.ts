import type { FastifyInstance, FastifyReply } from 'fastify';
import { AccountEmail } from '../../domain/accounts/email.ts';
import { enterCode } from '../../domain/accounts/enter-code.ts';
import { deviceOf } from '../../domain/accounts/known-device.ts';
import { signIn } from '../../domain/accounts/sign-in.ts';
import { deviceToken } from './cookies.ts';
import { enter, formOf, sessionOf, visitorOf, type Door } from './door.ts';
import { html } from '../../catalogue/html.ts';
import { askedNext, rememberNext } from './next-page.ts';
import { usePasskey } from './passkey-forms.ts';
import { useProvider } from './provider-pages.ts';
import { field, mustWait, problem, sendPage, type AccountPage } from './page.ts';

const wrongPassword = 'Email or password is not right.';
const wrongCode = 'The code is not right, or it was used already.';

/** Sign in by password, and by a code where the account asks for one. */
export function serveSignIn(scope: FastifyInstance, door: Door): void {
  const { parts, clock, wrong } = door;

  scope.get(
    '/sign-in',
    { config: { operation: 'sign_in_page', face: 'account' } },
    async (request, reply) => {
      const session = await sessionOf(door, request);
      const next = askedNext(request);
      if (session?.awaitsCode === false) return reply.redirect(next ?? '/account', 303);
      if (next !== undefined) rememberNext(reply, next);
      if (session !== undefined) return reply.redirect('/sign-in/code', 303);
      return sendPage(reply, 200, signInPage(door));
    },
  );

  scope.post('/sign-in', { config: { operation: 'sign_in', face: 'account' } }, async (request, reply) => {
    const { email: typed = '', password = '' } = formOf(request);
    const now = clock.now();
    const email = AccountEmail.safeParse(typed);
    const refuse = (text: string): FastifyReply =>
      sendPage(reply, 401, signInPage(door, { email: typed, text }));
    if (!email.success) return refuse(wrongPassword);
    const device = deviceToken(request);
    const isStranger = deviceOf(parts.keys, email.data, device) === undefined;
    const wait = isStranger ? wrong.waitOf(request.ip, now) : 0;
    if (wait > 0) return tooMany(reply, wait, (text) => signInPage(door, { email: typed, text }));
    const visitor = visitorOf(request);
    const result = await signIn(parts, { email: email.data, password, device, visitor }, now);
    if (result.kind === 'wait')
      return tooMany(reply, result.seconds, (text) => signInPage(door, { email: typed, text }));
    if (result.kind === 'wrong') {
      wrong.add(request.ip, now);
      return refuse(wrongPassword);
    }
    await enter(door, request, reply, result);
    return reply.redirect(result.session.awaitsCode ? '/sign-in/code' : '/account', 303);
  });

  scope.get(
    '/sign-in/code',
    { config: { operation: 'code_page', face: 'account' } },
    async (request, reply) => {
      const session = await sessionOf(door, request);
      if (session?.awaitsCode !== true) return reply.redirect('/sign-in', 303);
      return sendPage(reply, 200, codePage());
    },
  );

  scope.post(
    '/sign-in/code',
    { config: { operation: 'sign_in_code', face: 'account' } },
    async (request, reply) => {
      const session = await sessionOf(door, request);
      if (session?.awaitsCode !== true) return reply.redirect('/sign-in', 303);
      const given = {
        code: formOf(request)['code'] ?? '',
        device: deviceToken(request),
        visitor: visitorOf(request),
      };
      const result = await enterCode(parts, session, given, clock.now());
      if (result.kind === 'wait') return tooMany(reply, result.seconds, codePage);
      if (result.kind === 'wrong') return sendPage(reply, 401, codePage(wrongCode));
      await enter(door, request, reply, result);
      return reply.redirect('/account', 303);
    },
  );
}

export const tooMany = (
  reply: FastifyReply,
  seconds: number,
  page: (text: string) => AccountPage,
): FastifyReply => sendPage(reply.header('Retry-After', String(seconds)), 429, page(mustWait(seconds)));

export const signInPage = (
  door: Door,
  again?: { readonly email: string; readonly text: string },
): AccountPage => ({
  title: 'Sign in',
  script: true,
  body: html`<section class="card">
    <h1>Sign in</h1>
    ${problem(again?.text)}
    <form method="post" action="/sign-in">
      ${field({
        name: 'email',
        label: 'Email',
        type: 'email',
        autocomplete: 'username',
        value: again?.email ?? '',
        focus: again === undefined,
      })}${field({
        name: 'password',
        label: 'Password',
        type: 'password',
        autocomplete: 'current-password',
        beside: html`<a href="/forgotten">Forgotten</a>`,
        focus: again !== undefined,
      })}<button class="primary">Sign in</button>
    </form>
    ${usePasskey} ${door.provider !== undefined && useProvider(door.provider.name)}
  </section>`,
  ...(door.signUp === 'open' && { foot: html`New here? <a href="/sign-up">Make an account</a>` }),
});

const codePage = (text?: string): AccountPage => ({
  title: 'Enter your code',
  body: html`<section class="card">
    <h1>Enter your code</h1>
    <p class="prose">Your authenticator app shows it. If you lost the app, enter a recovery code.</p>
    ${problem(text)}
    <form method="post" action="/sign-in/code">
      ${field({
        name: 'code',
        label: 'Code',
        type: 'text',
        autocomplete: 'one-time-code',
        focus: true,
      })}<button class="primary">Continue</button>
    </form>
  </section>`,
  foot: html`<a href="/forgotten">Choose a new password</a>`,
});
