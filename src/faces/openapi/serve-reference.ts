import scalar from '@scalar/fastify-api-reference';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Failure } from '../../kernel/failure.ts';
import { failureCodes, isFailureCode, meaningOf } from '../../kernel/failure-codes.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import { describeOperations } from './describe-operations.ts';

/** The interface description, the reference page made from it, and a page for every error. */
export async function serveReference(
  app: FastifyInstance,
  operations: readonly AnyOperation[],
): Promise<void> {
  const document = documentOf(operations);
  app.get('/v1/openapi.json', (_request, reply) => reply.type('application/json').send(document));
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('Content-Security-Policy', referencePolicy);
    });
    await scope.register(scalar, {
      routePrefix: '/docs',
      configuration: {
        url: '/v1/openapi.json',
        title: 'Rostrum API',
        telemetry: false,
        withDefaultFonts: false,
      },
    } as Parameters<typeof scalar>[1]);
  });
  app.get('/docs/errors', (_request, reply) => sendPage(reply, 'Errors', errorList()));
  app.get<{ Params: { code: string } }>('/docs/errors/:code', (request, reply) => {
    const { code } = request.params;
    if (!isFailureCode(code))
      throw new Failure('route_not_found', 'There is no such error. See /docs/errors.');
    const { title, next } = meaningOf(code);
    return sendPage(reply, title, `<p><code>${code}</code></p><p>${escapeHtml(next)}</p>`);
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

/** A process that serves several APIs, as the tests do, describes them once. */
const documents = new WeakMap<readonly AnyOperation[], string>();

function documentOf(operations: readonly AnyOperation[]): string {
  const known = documents.get(operations);
  if (known !== undefined) return known;
  const document = JSON.stringify(describeOperations(operations));
  documents.set(operations, document);
  return document;
}

const errorList = (): string =>
  `<ul>${Object.entries(failureCodes)
    .map(
      ([code, { title }]) =>
        `<li><a href="/docs/errors/${code}"><code>${code}</code></a> ${escapeHtml(title)}</li>`,
    )
    .join('')}</ul>`;

const sendPage = (reply: FastifyReply, title: string, body: string): FastifyReply =>
  reply
    .header(
      'Content-Security-Policy',
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    )
    .type('text/html; charset=utf-8')
    .send(page(title, body));

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escapeHtml(title)} · Rostrum</title>` +
  `<style>body{font:16px/1.5 system-ui;max-width:42rem;margin:3rem auto;padding:0 1rem}</style>` +
  `<h1>${escapeHtml(title)}</h1>${body}<p><a href="/docs/errors">All errors</a> · <a href="/docs">Reference</a></p></html>`;

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
