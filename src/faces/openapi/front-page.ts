import type { FastifyInstance } from 'fastify';
import type { AnyOperation } from '../../kernel/operation.ts';
import { escapeHtml, sendPage } from './pages.ts';

const what =
  'Audience messaging: people and whether they may be written to, segments, imports, webinars, workflows, and ' +
  'broadcasts by email and text.';

/** What stands at the address itself: a page for people, and one for models. */
export function serveFrontPage(
  app: FastifyInstance,
  operations: readonly AnyOperation[],
  publicUrl: string,
): void {
  const [front, forModels] = [frontPage(escapeHtml(publicUrl)), llmsText(operations, publicUrl)];
  app.get('/', (_request, reply) => sendPage(reply, 'Rostrum', front));
  app.get('/llms.txt', (_request, reply) => reply.type('text/plain; charset=utf-8').send(forModels));
}

const frontPage = (url: string): string => `<p>${what}</p>
<p>This is the address of its API. Everything it does is one list of operations, offered alike over REST and as tools.</p>
<dl>
<dt><a href="/docs/">Reference</a></dt>
<dd>Every route, with an example of each. The document behind it: <a href="/v1/openapi.json"><code>/v1/openapi.json</code></a></dd>
<dt><a href="/docs/errors">Errors</a></dt>
<dd>What each means and what to do next.</dd>
<dt>Tools</dt>
<dd>MCP over streamable HTTP, with the key as a bearer token: <code>${url}/mcp</code></dd>
<dt>Health</dt>
<dd><a href="/health"><code>/health</code></a> answers while the process does.</dd>
<dt>For models</dt>
<dd><a href="/llms.txt"><code>/llms.txt</code></a></dd>
</dl>`;

/** https://llmstxt.org: a heading, a summary, and where to read on. */
const llmsText = (operations: readonly AnyOperation[], url: string): string => `# Rostrum

> ${what}

Tools: ${url}/mcp (MCP, streamable HTTP, stateless), with the header \`Authorization: Bearer <API key>\`. tools/list shows the tools that the key may call.

REST: ${url}/v1, with the headers \`Authorization: <API key>\` (bare) and \`Auth-Type: api\`. Bodies and answers are JSON. A refusal is a problem object: \`code\` says what is wrong, \`detail\` and \`errors\` what to do next. Every write takes an \`Idempotency-Key\`.

A broadcast goes out in this order: create_broadcast, plan_broadcast, schedule_broadcast with the plan's \`plan_token\`. An import: create_import, set_import_mapping, append_import_rows, preview_import, commit_import with its \`commit_token\`.

## Reference

- [OpenAPI 3.1](${url}/v1/openapi.json): every route, with schemas and examples
- [Errors](${url}/docs/errors): every code, what it means and what to do next

## Tools

${operations
  .filter(({ faces }) => faces.tool === true)
  .map(({ name, title }) => `- ${name}: ${title}`)
  .join('\n')}
`;
