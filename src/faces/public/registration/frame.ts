import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { html, Html } from '../../../catalogue/html.ts';
import type { PublicPage } from '../../../domain/registration-pages/public-page.ts';
import { styleOf } from './page-style.ts';

/** As a page of its own, or in a frame on one of the sites that the organization named. */
export type Shown = 'page' | 'embed';

/** Sends something of a webinar in its organization's layout: no script, its own style, its logo, its own forms. */
export function sendFramed(
  reply: FastifyReply,
  status: number,
  page: PublicPage,
  shown: Shown,
  title: string,
  body: Html,
): FastifyReply {
  const { style, hash } = lookOf(page);
  const origins = shown === 'embed' ? page.frameOrigins : [];
  if (origins.length > 0) reply.removeHeader('X-Frame-Options'); // it knows no list of sites; the policy does
  if (shown === 'embed' || page.state === 'unpublished') reply.header('X-Robots-Tag', 'noindex');
  return reply
    .code(status)
    .header('Content-Security-Policy', policyOf(hash, logoOf(page), origins))
    .type('text/html; charset=utf-8')
    .send(write(page, shown, title, style, body).text);
}

const looks = new WeakMap<PublicPage, { readonly style: string; readonly hash: string }>();

/** Made once for a page as it was read. */
function lookOf(page: PublicPage): { readonly style: string; readonly hash: string } {
  const known = looks.get(page);
  if (known !== undefined) return known;
  const style = styleOf(page.layout);
  const look = { style, hash: createHash('sha256').update(style).digest('base64') };
  looks.set(page, look);
  return look;
}

const logoOf = ({ layout }: PublicPage): URL | null =>
  layout.logo_url === null ? null : URL.parse(layout.logo_url);

const policyOf = (styleHash: string, logo: URL | null, origins: readonly string[]): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    ...(logo === null ? [] : [`img-src ${logo.origin}`]),
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${origins.length === 0 ? "'none'" : origins.join(' ')}`,
  ].join('; ');

function write(page: PublicPage, shown: Shown, title: string, style: string, body: Html): Html {
  const { layout, organization } = page;
  const logo = logoOf(page);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <title>${title} &middot; ${organization}</title>
        ${styleElement(style)}
      </head>
      <body>
        <main class="${shown}">
          <div class="card">
            ${
              logo !== null &&
              html`<img class="logo" src="${logo.href}" alt="${layout.logo_alt ?? organization}" />`
            }
            ${body}
          </div>
          ${
            shown === 'page' &&
            html`<footer>
              <p>${organization}</p>
              ${layout.postal_address !== null && html`<p>${layout.postal_address.trim()}</p>`}
              ${layout.footer_text !== null && html`<p>${layout.footer_text.trim()}</p>`}
            </footer>`
          }
        </main>
      </body>
    </html>`;
}

// Written in one piece: the policy has the hash of the very text between the tags.
const styleElement = (style: string): Html => new Html(`<style>${style}</style>`);
