import type { listSessions } from '../../domain/accounts/session.ts';
import type { Membership } from '../../domain/members/find-signed-in.ts';
import { fewestCharacters } from '../../domain/accounts/password-rules.ts';
import { html, type Html } from '../../catalogue/html.ts';
import { field, problem, type AccountPage } from './page.ts';
import { passkeysCard, type PasskeysView } from './passkey-forms.ts';
import { providerCard, type LinkedView } from './provider-pages.ts';
import { passwordField, proofFields } from './proof.ts';

export interface AccountView extends PasskeysView, LinkedView {
  readonly email: string;
  readonly organizations: readonly Membership[];
  readonly hasPassword: boolean;
  readonly recoveryCodes: number;
  readonly ownSession: string;
  readonly sessions: Awaited<ReturnType<typeof listSessions>>;
  /** What was wrong, in which form. */
  readonly wrong?: {
    readonly form: 'password' | 'two_steps' | 'passkeys' | 'provider';
    readonly text: string;
  };
}

/** A user's own page: where they are signed in, and what lets them in. */
export const accountPage = (view: AccountView): AccountPage => ({
  title: 'Your account',
  wide: true,
  body: html`<section class="card">
      <div class="head">
        <div>
          <h1>Your account</h1>
          <p class="prose">${view.email}</p>
        </div>
        <form method="post" action="/account/sign-out"><button class="secondary">Sign out</button></form>
      </div>
    </section>
    ${organizationsCard(view)} ${sessionsCard(view)}
    ${view.hasPassword ? protectedBy(view) : noPasswordCard(view)}`,
});

const protectedBy = (view: AccountView): Html => {
  const wrongIn = (form: string) => (view.wrong?.form === form ? view.wrong.text : undefined);
  return html`${passkeysCard(view, wrongIn('passkeys'))} ${providerCard(view, wrongIn('provider'))}
  ${passwordCard(view)} ${view.hasTwoSteps ? secondStepCard(view) : noSecondStepCard(view)}`;
};

/** Everything else asks for the password, so it comes first. */
const noPasswordCard = ({ email, provider }: AccountView): Html =>
  html`<section class="card">
    <h2>Password</h2>
    <p class="prose">
      You have none${provider?.linked === true && `: ${provider.name} signs you in`}. With one you can sign in
      by your address, and add passkeys and codes from an app.
    </p>
    <form method="post" action="/forgotten">
      <input type="hidden" name="email" value="${email}" />
      <div><button class="secondary">Send a link to choose one</button></div>
    </form>
  </section>`;

/** The way into the dashboard. */
const organizationsCard = ({ organizations }: AccountView): Html =>
  html`<section class="card">
    <h2>Your organizations</h2>
    ${
      organizations.length === 0
        ? html`<p class="prose">You are in none yet. Somebody who is can invite you.</p>`
        : html`<ul class="list choices">
            ${organizations.map(
              ({ org_id, name, mode, role }) =>
                html`<li>
                  <a href="/o/${org_id}"
                    ><b>${name}</b> <span class="hint">${mode === 'test' && 'test, '}${role}</span></a
                  >
                </li>`,
            )}
          </ul>`
    }
  </section>`;

const sessionsCard = ({ sessions, ownSession }: AccountView): Html =>
  html`<section class="card">
    <div class="head">
      <h2>Where you are signed in</h2>
      ${
        sessions.length > 1 &&
        html`<form method="post" action="/account/sessions/end-others">
          <button class="secondary small">End all others</button>
        </form>`
      }
    </div>
    <ul class="list">
      ${sessions.map(
        ({ id, agent, address, used_at }) =>
          html`<li>
            <div>
              ${browserOf(agent)}${id === ownSession && html` <b>&middot; this browser</b>`}
              <div class="hint">${address} &middot; last used ${moment(used_at)}</div>
            </div>
            ${
              id !== ownSession &&
              html`<form method="post" action="/account/sessions/${id}/end">
                <button class="secondary small" aria-label="End the session of ${browserOf(agent)}">
                  End
                </button>
              </form>`
            }
          </li>`,
      )}
    </ul>
  </section>`;

const passwordCard = ({ wrong }: AccountView): Html =>
  html`<section class="card">
    <h2>Password</h2>
    <p class="prose">A new one signs you out everywhere else.</p>
    ${problem(wrong?.form === 'password' ? wrong.text : undefined)}
    <form method="post" action="/account/password">
      ${passwordField('current')}${field({
        name: 'password',
        label: 'New password',
        type: 'password',
        autocomplete: 'new-password',
        hint: `At least ${fewestCharacters} characters.`,
      })}
      <div><button class="primary">Change the password</button></div>
    </form>
  </section>`;

const noSecondStepCard = ({ wrong }: AccountView): Html =>
  html`<section class="card">
    <h2>Codes from an app</h2>
    <p class="prose">Off. Turn them on, and your password alone lets nobody in.</p>
    ${problem(wrong?.form === 'two_steps' ? wrong.text : undefined)}
    <form method="post" action="/account/two-steps">
      ${passwordField('begin')}
      <div><button class="secondary">Set up an authenticator app</button></div>
    </form>
  </section>`;

const secondStepCard = ({ wrong, recoveryCodes }: AccountView): Html =>
  html`<section class="card">
    <h2>Codes from an app</h2>
    <p class="prose">On. ${recoveryCodes} recovery codes are left.</p>
    ${problem(wrong?.form === 'two_steps' ? wrong.text : undefined)}
    <form method="post" action="/account/two-steps/codes">
      ${proofFields('two-steps', true)}
      <div class="pair">
        <button class="secondary">Replace the recovery codes</button
        ><button class="secondary" formaction="/account/two-steps/off">Turn the codes off</button>
      </div>
    </form>
  </section>`;

const moment = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** "Firefox on Linux": enough to know one's own browsers by. */
export function browserOf(agent: string): string {
  const nameIn = (names: readonly (readonly [string, RegExp])[]): string | undefined =>
    names.find(([, sign]) => sign.test(agent))?.[0];
  const browser = nameIn([
    ['Edge', /\bEdg/],
    ['Opera', /\bOPR\//],
    ['Firefox', /\b(Firefox|FxiOS)\//],
    ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
    ['Safari', /\bSafari\//],
  ]);
  const system = nameIn([
    ['Android', /Android/],
    ['iPhone', /iPhone/],
    ['iPad', /iPad/],
    ['Windows', /Windows/],
    ['Mac', /Macintosh/],
    ['Linux', /Linux/],
  ]);
  if (browser === undefined) return system === undefined ? 'A program' : `A program on ${system}`;
  return system === undefined ? browser : `${browser} on ${system}`;
}
