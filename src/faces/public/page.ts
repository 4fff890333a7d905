import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { escapeValue } from '../../domain/content/body/escape.ts';

/** A page for a reader who followed a link in a message. It names no recipient and asks only what its button says. */
export interface Page {
  readonly title: string;
  readonly text: string;
  /** Posts to the page's own address, or to one beside it. A quiet button is less prominent. */
  readonly button?: { readonly label: string; readonly action?: string; readonly quiet?: boolean };
}

const style =
  ':root{color-scheme:light dark}' +
  'body{margin:0;font:1rem/1.5 system-ui,sans-serif;background:#f4f4f5;color:#18181b}' +
  'main{box-sizing:border-box;max-width:32rem;margin:15vh auto 0;padding:1.5rem;overflow-wrap:anywhere}' +
  'h1{font-size:1.5rem;line-height:1.25}' +
  'button{font:inherit;padding:.625rem 1.25rem;border:0;border-radius:.25rem;background:#1d4ed8;color:#fff}' +
  'button.quiet{background:none;color:inherit;box-shadow:inset 0 0 0 1px}' +
  'button:focus-visible{outline:3px solid #60a5fa;outline-offset:2px}' +
  '@media (prefers-color-scheme:dark){body{background:#18181b;color:#f4f4f5}}';

// Nothing but that style and the page's own form: no script, no picture, no frame around it.
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The address of a page is a key to a message: it is sent to no other site, not cached, and not indexed. */
export const keepPrivate = (reply: FastifyReply): FastifyReply =>
  reply
    .header('Cache-Control', 'no-store')
    .header('Referrer-Policy', 'no-referrer')
    .header('X-Content-Type-Options', 'nosniff')
    .header('X-Robots-Tag', 'noindex, nofollow');

/** Texts are the service's own, with names from the organization: none contains anything from the request. */
export const sendPage = (reply: FastifyReply, status: number, { title, text, button }: Page): FastifyReply =>
  keepPrivate(reply)
    .code(status)
    .header('Content-Security-Policy', policy)
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${escapeValue(text)}</p>
${formOf(button)}</main>
</body>
</html>
`,
    );

const formOf = (button: Page['button']): string =>
  button === undefined
    ? ''
    : `<form method="post"${button.action === undefined ? '' : ` action="${escapeValue(button.action)}"`}>` +
      `<button type="submit"${button.quiet === true ? ' class="quiet"' : ''}>${button.label}</button></form>\n`;

export const unknownLink: Page = {
  title: 'This link is not complete',
  text: 'Part of it may have been lost on the way. Please follow it from the message itself.',
};

export const goneLink: Page = {
  title: 'This link leads nowhere now',
  text: 'What it led to is no longer there. The sender of the message can help you.',
};

export const notNow: Page = {
  title: 'Not right now',
  text: 'Something of ours does not answer. Please try again in a minute.',
};
