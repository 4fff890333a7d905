import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

const style =
  ':root{color-scheme:light dark}' +
  'body{margin:0;font:1rem/1.6 system-ui,sans-serif;background:#fafafa;color:#18181b}' +
  'main{box-sizing:border-box;max-width:44rem;margin:0 auto;padding:3rem 1.25rem}' +
  'h1{font-size:1.75rem;line-height:1.25;margin:0 0 1rem}' +
  'a{color:#1d4ed8}' +
  'a:focus-visible{outline:3px solid #60a5fa;outline-offset:2px}' +
  'code{font:.9em ui-monospace,monospace;overflow-wrap:anywhere}' +
  'dl{margin:1.5rem 0}dt{font-weight:600;margin-top:1rem}dd{margin:0}' +
  'li{margin:.25rem 0}' +
  '@media (prefers-color-scheme:dark){body{background:#18181b;color:#f4f4f5}a{color:#93c5fd}}';

// Nothing but that style: no script, no picture, no form, no frame around it.
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A page of words. `body` is ours: nothing in it came with a request. */
export const sendPage = (reply: FastifyReply, title: string, body: string): FastifyReply =>
  reply.header('Content-Security-Policy', policy).type('text/html; charset=utf-8').send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`);

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
