import { html, type Html } from '../../catalogue/html.ts';
import { problem, say, type AccountPage } from './page.ts';
import { proofFields } from './proof.ts';
import type { NotLetIn } from '../../domain/accounts/sign-in-by-identity.ts';

/** Above or below the other ways of signing in. */
export const useProvider = (name: string): Html =>
  html`<div class="other-way stack">
    <p class="or hint">or</p>
    <a class="button secondary" href="/sign-in/with">Continue with ${name}</a>
  </div>`;

export interface LinkedView {
  readonly provider?: { readonly name: string; readonly linked: boolean } | undefined;
  readonly hasTwoSteps: boolean;
}

export const providerCard = ({ provider, hasTwoSteps }: LinkedView, wrong: string | undefined) =>
  provider !== undefined &&
  html`<section class="card">
    <h2>${provider.name}</h2>
    <p class="prose">
      ${
        provider.linked
          ? `Linked. Who signs in at ${provider.name} as you is signed in here.`
          : `Not linked. Link it to sign in here with ${provider.name}.`
      }
    </p>
    ${problem(wrong)}
    <form method="post" action="/account/provider${provider.linked ? '/unlink' : ''}">
      ${proofFields('provider', hasTwoSteps)}
      <div><button class="secondary">${provider.linked ? 'Unlink' : 'Link'} ${provider.name}</button></div>
    </form>
  </section>`;

/** A link, because a form may only lead to ourselves. */
export const goPage = (name: string, url: string): AccountPage => ({
  title: `Link ${name}`,
  body: html`<section class="card">
    <h1>Link ${name}</h1>
    <p class="prose">Sign in there as whom you want to be known here.</p>
    <div class="stack"><a class="button primary" href="${url}">Continue to ${name}</a></div>
  </section>`,
  foot: html`<a href="/account">Leave it unlinked</a>`,
});

const toSignIn = { to: '/sign-in', label: 'Sign in' };

/** The provider was away, or what came back from it proves nothing. */
export const failedPage = (name: string): AccountPage =>
  say(
    'This did not work',
    `Nobody was signed in with ${name}: it took too long, was ended there, or ${name} does not answer.`,
    toSignIn,
  );

export const notLetInPage = (name: string, { kind }: NotLetIn): AccountPage =>
  say(
    'Not signed in',
    {
      unproven: `${name} does not say that your email address is yours. Have it verified there.`,
      taken: `Your email address has an account here. Sign in to it with your password or a new one by mail, and link ${name} on its page.`,
      closed: `There is no account for you here. Ask whoever runs this installation for one.`,
    }[kind],
    toSignIn,
  );

export const linkedElsewhere = (name: string): AccountPage =>
  say('Not linked', `Who you are at ${name} is linked to an account here already.`, {
    to: '/account',
    label: 'Your account',
  });
