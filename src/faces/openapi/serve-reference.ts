import scalar from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../../kernel/failure.ts';
import { failureCodes, isFailureCode, meaningOf } from '../../kernel/failure-codes.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import { describeOperations } from './describe-operations.ts';

/** The interface description, the reference page made from it, and a page for every error. */
export async function serveReference(
  app: FastifyInstance,
  operations: readonly AnyOperation[],
): Promise<void> {
  const document = JSON.stringify(describeOperations(operations));
  app.get('/v1/openapi.json', (_request, reply) => reply.type('application/json').send(document));
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: { url: '/v1/openapi.json', title: 'Rostrum API', telemetry: false },
  } as Parameters<typeof scalar>[1]);
  app.get('/docs/errors', (_request, reply) => reply.type('text/html').send(page('Errors', errorList())));
  app.get<{ Params: { code: string } }>('/docs/errors/:code', (request, reply) => {
    const { code } = request.params;
    if (!isFailureCode(code))
      throw new Failure('route_not_found', 'There is no such error. See /docs/errors.');
    const { title, next } = meaningOf(code);
    return reply.type('text/html').send(page(title, `<p><code>${code}</code></p><p>${escapeHtml(next)}</p>`));
  });
}

const errorList = (): string =>
  `<ul>${Object.entries(failureCodes)
    .map(
      ([code, { title }]) =>
        `<li><a href="/docs/errors/${code}"><code>${code}</code></a> ${escapeHtml(title)}</li>`,
    )
    .join('')}</ul>`;

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escapeHtml(title)} · Rostrum</title>` +
  `<style>body{font:16px/1.5 system-ui;max-width:42rem;margin:3rem auto;padding:0 1rem}</style>` +
  `<h1>${escapeHtml(title)}</h1>${body}<p><a href="/docs/errors">All errors</a> · <a href="/docs">Reference</a></p></html>`;

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
