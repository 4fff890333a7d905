import { html, type Html } from '../../../catalogue/html.ts';
import type { ShownField } from '../../../domain/registration-pages/page-field.ts';
import type { PublicPage } from '../../../domain/registration-pages/public-page.ts';
import { consentName, type Typed } from '../../../domain/registration-pages/read-answers.ts';
import { paragraphs, whenOf } from './about-webinar.ts';
import type { Shown } from './frame.ts';

/** What a person does not see and a program that fills in everything does. */
export const trapName = 'website';
export const tokenName = 'token';

export interface FormState {
  readonly token: string;
  readonly typed: Typed;
  /** What is wrong, by the names of the inputs. */
  readonly wrong: ReadonlyMap<string, string>;
  /** Why the form is here again. */
  readonly notice?: string | undefined;
  /** The trap was filled in: whoever did so, or whose browser did, must see it to empty it. */
  readonly showsTrap?: boolean;
}

export const formPage = (page: PublicPage, shown: Shown, state: FormState): Html =>
  html`<p class="by">${page.organization} invites you</p>
    <h1>${page.event.title}</h1>
    ${whenOf(page)} ${paragraphs(page.description)} ${noticeOf(page, state)}
    <form method="post" action="/w/${page.slug}${shown === 'embed' && '/embed'}" accept-charset="utf-8">
      <input type="hidden" name="${tokenName}" value="${state.token}" />
      ${page.fields.map((field) => inputOf(field, state))} ${trapOf(state)} ${consentOf(page, state)}
      <button type="submit">Register</button>
    </form>`;

function noticeOf({ fields }: PublicPage, { notice, wrong }: FormState): Html | undefined {
  if (wrong.size === 0)
    return notice === undefined ? undefined : html`<div class="note" role="alert"><p>${notice}</p></div>`;
  const labels = new Map([
    ...fields.map(({ name, label }) => [name, label] as const),
    [consentName, 'Consent'],
  ]);
  return html`<div class="note wrong" role="alert">
    <p>${notice ?? 'Some of it cannot be taken yet. Nothing was sent.'}</p>
    <ul>
      ${[...wrong].map(([name, text]) => html`<li><a href="#${name}">${labels.get(name) ?? name}</a>: ${text}</li>`)}
    </ul>
  </div>`;
}

const types: Readonly<Record<string, { type: string; autocomplete: string; inputmode?: string }>> = {
  full_name: { type: 'text', autocomplete: 'name' },
  first_name: { type: 'text', autocomplete: 'given-name' },
  last_name: { type: 'text', autocomplete: 'family-name' },
  email: { type: 'email', autocomplete: 'email' },
  phone: { type: 'tel', autocomplete: 'tel' },
  number: { type: 'text', autocomplete: 'off', inputmode: 'decimal' },
  string: { type: 'text', autocomplete: 'off' },
};

function inputOf(field: ShownField, { typed, wrong }: FormState): Html {
  const { name, label, required, kind } = field;
  const problem = wrong.get(name);
  if (kind === 'boolean')
    return tickOf({ name, label: html`${label}`, required, ticked: typed.has(name), value: 'true', problem });
  const { type, autocomplete, inputmode } = types[kind]!;
  return html`<div class="field">
    <label for="${name}">${label}${!required && html` <span class="soft">(optional)</span>`}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      autocomplete="${autocomplete}"
      value="${typed.get(name) ?? ''}"
      ${inputmode !== undefined && html` inputmode="${inputmode}"`}${
        required && html` required`
      }${flawOf(name, problem)}
    />
    ${flawText(name, problem)}
  </div>`;
}

interface Tick {
  readonly name: string;
  readonly label: Html;
  readonly required: boolean;
  readonly ticked: boolean;
  readonly value: string;
  readonly problem: string | undefined;
}

const tickOf = ({ name, label, required, ticked, value, problem }: Tick): Html =>
  html`<div class="tick">
    <input
      id="${name}"
      name="${name}"
      type="checkbox"
      value="${value}"
      ${ticked && html` checked`}${required && html` required`}${flawOf(name, problem)}
    />
    <label for="${name}">${label}</label>
    ${flawText(name, problem)}
  </div>`;

const flawOf = (name: string, problem: string | undefined): Html | undefined =>
  problem === undefined ? undefined : html` aria-invalid="true" aria-describedby="${name}-flaw"`;

const flawText = (name: string, problem: string | undefined): Html | undefined =>
  problem === undefined ? undefined : html`<p class="bad" id="${name}-flaw">${problem}</p>`;

const consentOf = ({ consentText }: PublicPage, { typed, wrong }: FormState): Html | undefined =>
  consentText === null
    ? undefined
    : tickOf({
        name: consentName,
        label: html`${consentText}`,
        required: true,
        ticked: typed.get(consentName) === 'yes',
        value: 'yes',
        problem: wrong.get(consentName),
      });

// Out of sight rather than hidden, which programs look for; not where the tab key goes and not read aloud.
const trapOf = ({ showsTrap }: FormState): Html =>
  showsTrap === true
    ? html`<div class="field">
        <label for="${trapName}">Leave this field empty</label>
        <input id="${trapName}" name="${trapName}" type="text" autocomplete="off" />
      </div>`
    : html`<div class="trap" aria-hidden="true">
        <label for="${trapName}">Leave this field empty</label>
        <input id="${trapName}" name="${trapName}" type="text" autocomplete="off" tabindex="-1" />
      </div>`;
