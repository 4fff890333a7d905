import scalar from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../../kernel/failure.ts';
import { failureCodes, isFailureCode, meaningOf } from '../../kernel/failure-codes.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import { describeOperations } from './describe-operations.ts';
import { serveFrontPage } from './front-page.ts';
import { escapeHtml, sendPage } from './pages.ts';

/** The front page, the interface description, the reference page made from it, and a page for every error. */
export async function serveReference(
  app: FastifyInstance,
  operations: readonly AnyOperation[],
  publicUrl: string,
): Promise<void> {
  serveFrontPage(app, operations, publicUrl);
  const document = documentOf(operations, publicUrl);
  app.get('/v1/openapi.json', (_request, reply) => reply.type('application/json').send(document));
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('Content-Security-Policy', referencePolicy);
    });
    await scope.register(scalar, {
      routePrefix: '/docs',
      configuration: {
        url: '/v1/openapi.json',
        pageTitle: 'Rostrum API',
        telemetry: false,
        withDefaultFonts: false,
        // Their buttons lead to services of theirs.
        hideClientButton: true,
        showDeveloperTools: 'never',
        mcp: { disabled: true },
        agent: { disabled: true },
        authentication: { securitySchemes: { authType: { value: 'api' } } },
        customCss: 'a[href*="scalar.com"]{display:none}',
      },
    } as Parameters<typeof scalar>[1]);
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
const documents = new WeakMap<readonly AnyOperation[], string>();

function documentOf(operations: readonly AnyOperation[], publicUrl: string): string {
  const document = documents.get(operations) ?? JSON.stringify(describeOperations(operations, here));
  documents.set(operations, document);
  return document.replace(JSON.stringify(here), JSON.stringify(publicUrl));
}

const further = '<p><a href="/docs/errors">All errors</a> · <a href="/docs/">Reference</a></p>';

const errorList = (): string =>
  `<ul>${Object.entries(failureCodes)
    .map(
      ([code, { title }]) =>
        `<li><a href="/docs/errors/${code}"><code>${code}</code></a> ${escapeHtml(title)}</li>`,
    )
    .join('')}</ul>`;
