import type { FastifyInstance } from 'fastify';
import { Failure } from '../../kernel/failure.ts';
import { failureCodes, isFailureCode, meaningOf } from '../../kernel/failure-codes.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import { serveFrontPage } from './front-page.ts';
import { escapeHtml, sendPage } from './pages.ts';

/** The front page, the interface description, the reference page made from it, and a page for every error. */
export async function serveReference(
  app: FastifyInstance,
  operations: readonly AnyOperation[],
  publicUrl: string,
): Promise<void> {
  serveFrontPage(app, operations, publicUrl);
  app.get('/v1/openapi.json', async (_request, reply) =>
    reply.type('application/json').send(await documentOf(operations, publicUrl)),
  );
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('Content-Security-Policy', referencePolicy);
    });
    scope.get('/docs', (_request, reply) => reply.redirect('/docs/', 301));
    for (const url of ['/docs/', '/docs/js/scalar.js']) {
      scope.get(url, async (_request, reply) => {
        // Only with the first visitor: it takes 40 MB, and most processes never show it.
        page ??= import('./reference-page.ts').then(({ referencePage }) => referencePage());
        const { headers, rawPayload } = await (await page).inject(url);
        return reply.type(String(headers['content-type'])).send(rawPayload);
      });
    }
  });
  app.get('/docs/errors', (_request, reply) => sendPage(reply, 'Errors', errorList() + further));
  app.get<{ Params: { code: string } }>('/docs/errors/:code', (request, reply) => {
    const { code } = request.params;
    if (!isFailureCode(code))
      throw new Failure('route_not_found', 'There is no such error. See /docs/errors.');
    const { title, next } = meaningOf(code);
    return sendPage(reply, title, `<p><code>${code}</code></p><p>${escapeHtml(next)}</p>${further}`);
  });
}

/** The reference brings its own script, and writes its style and settings into the page; nothing comes from elsewhere. */
const referencePolicy = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const here = 'https://here.invalid';

/** A process that serves several APIs, as the tests do, describes them once; they differ only in where they are. */
const documents = new WeakMap<readonly AnyOperation[], Promise<string>>();
let page: Promise<FastifyInstance> | undefined;

async function documentOf(operations: readonly AnyOperation[], publicUrl: string): Promise<string> {
  const document = documents.get(operations) ?? describe(operations);
  documents.set(operations, document);
  return (await document).replace(JSON.stringify(here), JSON.stringify(publicUrl));
}

/** Only when it is asked for: a tenth of a second, and its words and examples stay in memory. */
async function describe(operations: readonly AnyOperation[]): Promise<string> {
  const { describeOperations } = await import('./describe-operations.ts');
  return JSON.stringify(describeOperations(operations, here));
}

const further = '<p><a href="/docs/errors">All errors</a> · <a href="/docs/">Reference</a></p>';

const errorList = (): string =>
  `<ul>${Object.entries(failureCodes)
    .map(
      ([code, { title }]) =>
        `<li><a href="/docs/errors/${code}"><code>${code}</code></a> ${escapeHtml(title)}</li>`,
    )
    .join('')}</ul>`;
