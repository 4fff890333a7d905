import type { listPasskeys } from '../../domain/accounts/passkeys.ts';
import { html, type Html } from '../../catalogue/html.ts';
import { field, problem, type AccountPage } from './page.ts';
import { proofFields } from './proof.ts';

export type ListedPasskey = Awaited<ReturnType<typeof listPasskeys>>[number];

/** Below the form of the password. Hidden where no script runs. */
export const usePasskey = html`<form
  method="post"
  action="/sign-in/passkey"
  data-passkey="show"
  class="other-way"
  hidden
>
  <p class="or hint">or</p>
  <p class="note bad" role="alert" hidden></p>
  ${hidden('credential_id', 'user_handle', 'client_data', 'authenticator_data', 'signature')}
  <button class="secondary">
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M5.5 12.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM7.7 7.3 13.5 2M11 4.2l2 2" /></svg
    >Use a passkey
  </button>
</form>`;

function hidden(...names: readonly string[]): readonly Html[] {
  return names.map((name) => html`<input type="hidden" name="${name}" />`);
}

export interface PasskeysView {
  readonly passkeys: readonly ListedPasskey[];
  readonly hasTwoSteps: boolean;
}

/** Passkeys on the user's own page. */
export const passkeysCard = ({ passkeys, hasTwoSteps }: PasskeysView, wrong: string | undefined): Html =>
  html`<section class="card">
    <h2>Passkeys</h2>
    <p class="prose">Sign in with your fingerprint, face or PIN, without password and code.</p>
    ${
      passkeys.length > 0 &&
      html`<ul class="list">
        ${passkeys.map(
          ({ id, name, created_at, used_at }) =>
            html`<li>
              <div>
                ${name}
                <div class="hint">
                  ${used_at === null ? `Added ${dayOf(created_at)}, not used yet` : `Last used ${dayOf(used_at)}`}
                </div>
              </div>
              <a href="/account/passkeys/${id}" aria-label="Change ${name}">Change</a>
            </li>`,
        )}
      </ul>`
    }
    ${problem(wrong)}
    <form method="post" action="/account/passkeys">
      ${proofFields('passkey', hasTwoSteps)}
      <div><button class="secondary">Add a passkey</button></div>
    </form>
  </section>`;

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** What the script needs to have a passkey made; all but the challenge is known to its user. */
export interface MakingOptions {
  readonly challenge: string;
  readonly host: string;
  readonly handle: string;
  readonly email: string;
  readonly algorithms: readonly number[];
  readonly known: readonly string[];
}

export const makePage = (options: MakingOptions, suggested: string): AccountPage => ({
  title: 'Add a passkey',
  script: true,
  body: html`<section class="card">
    <h1>Add a passkey</h1>
    <p class="prose" id="no-passkeys">
      This takes a browser that knows passkeys and may run this page's script.
    </p>
    <form
      method="post"
      action="/account/passkeys/add"
      data-passkey="make"
      data-options="${JSON.stringify(options)}"
      hidden
    >
      <p class="note bad" role="alert" hidden></p>
      ${field({
        name: 'name',
        label: 'Name',
        type: 'text',
        autocomplete: 'off',
        value: suggested,
        hint: 'To know it by in your list.',
      })}
      ${hidden('client_data', 'authenticator_data', 'public_key')}<button class="primary">
        Add the passkey
      </button>
    </form>
  </section>`,
  foot: html`<a href="/account">Add none</a>`,
});

export const changePage = (
  { id, name }: ListedPasskey,
  hasTwoSteps: boolean,
  wrong?: string,
): AccountPage => ({
  title: 'Change a passkey',
  body: html`<section class="card">
      <h1>${name}</h1>
      <form method="post" action="/account/passkeys/${id}/name">
        ${field({ name: 'name', label: 'Name', type: 'text', autocomplete: 'off', value: name })}
        <button class="primary">Save the name</button>
      </form>
    </section>
    <section class="card">
      <h2>Remove it</h2>
      <p class="prose">It then signs nobody in any more. Your device may go on offering it.</p>
      ${problem(wrong)}
      <form method="post" action="/account/passkeys/${id}/remove">
        ${proofFields('remove', hasTwoSteps)}
        <button class="secondary">Remove the passkey</button>
      </form>
    </section>`,
  foot: html`<a href="/account">Your account</a>`,
});
