import type { FastifyReply } from 'fastify';
import { html, type Html } from '../../catalogue/html.ts';
import { scriptPath, stylePath } from './page-files.ts';

export interface AccountPage {
  readonly title: string;
  readonly body: Html;
  /** Below the card. */
  readonly foot?: Html;
  readonly wide?: boolean;
  /** Wider than a form, narrower than `wide`. */
  readonly middle?: boolean;
  /** Where else its form may lead: an origin. */
  readonly formTo?: string;
  /** Passkeys take a script. */
  readonly script?: boolean;
}

// No script but our own where there is one, no picture, no frame; forms go to ourselves, and from there at most where the
// page says.
const policyOf = ({ formTo, script }: AccountPage): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    `form-action 'self'${formTo === undefined ? '' : ` ${formTo}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(script === true ? ["script-src 'self'", "connect-src 'self'"] : []),
  ].join('; ');

/**
 * Sends a page. A browser told to hide where a form was would send "Origin: null" with it, so it is only hidden from
 * other sites.
 */
export const sendPage = (reply: FastifyReply, status: number, page: AccountPage): FastifyReply =>
  reply
    .code(status)
    .header('Content-Security-Policy', policyOf(page))
    .header('Referrer-Policy', 'same-origin')
    .header('Cross-Origin-Opener-Policy', 'same-origin')
    .header('Cross-Origin-Resource-Policy', 'same-origin')
    .header('X-Robots-Tag', 'noindex, nofollow')
    .type('text/html; charset=utf-8')
    .send(write(page).text);

const write = ({ title, body, foot, wide = false, middle = false, script = false }: AccountPage): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} &middot; Rostrum</title>
        <link rel="stylesheet" href="${stylePath}" />
        ${script && html`<script type="module" src="${scriptPath}"></script>`}
      </head>
      <body>
        <main>
          <div class="${wide ? 'box wide' : middle ? 'box middle' : 'box'}">
            <div class="brand">
              <span class="mark" aria-hidden="true"
                ><svg
                  viewBox="0 0 12 12"
                  fill="none"
                  stroke="currentColor"
                  stroke-width="1.6"
                  stroke-linecap="round"
                  stroke-linejoin="round"
                >
                  <path d="M1.500 4h9M2.800 4l1.200 6.500h4L9.200 4M6 4V1.500" /></svg></span
              >Rostrum
            </div>
            ${body} ${foot !== undefined && html`<p class="hint center">${foot}</p>`}
          </div>
          <p class="hint">Signed out after 12 hours without use.</p>
        </main>
      </body>
    </html> `;

/** A card that says something, and where to go from there. */
export const say = (title: string, text: string, link?: { to: string; label: string }): AccountPage => ({
  title,
  body: html`<section class="card">
    <h1>${title}</h1>
    <p class="prose">${text}</p>
    ${link !== undefined && html`<p class="prose"><a href="${link.to}">${link.label}</a></p>`}
  </section>`,
});

/** What is wrong with what was sent, above the fields. */
export const problem = (text: string | undefined): Html | undefined =>
  text === undefined ? undefined : html`<p class="note bad" role="alert">${text}</p>`;

/** Says how long to wait, and the way that is open meanwhile. */
export function mustWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  const wait = minutes <= 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
  return `Too many attempts. Wait ${wait}, or choose a new password by mail.`;
}

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type: 'email' | 'password' | 'text';
  readonly autocomplete: string;
  readonly value?: string;
  readonly hint?: string;
  readonly beside?: Html;
  readonly focus?: boolean;
  readonly numeric?: boolean;
}

export const field = ({
  name,
  label,
  type,
  autocomplete,
  value,
  hint,
  beside,
  focus,
  numeric,
}: Field): Html =>
  html`<div class="field">
    <div class="row"><label for="${name}">${label}</label>${beside}</div>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      autocomplete="${autocomplete}"
      required${
        value !== undefined && html` value="${value}"`
      }${focus === true && html` autofocus`}${numeric === true && html` inputmode="numeric"`}${
        hint !== undefined && html` aria-describedby="${name}-hint"`
      }
    />${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
  </div>`;
