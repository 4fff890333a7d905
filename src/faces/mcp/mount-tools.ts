import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type AuthInfo,
} from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { EnterFlight } from '../../catalogue/in-flight.ts';
import { hasOneCredential } from '../../catalogue/one-credential.ts';
import { problemType, toProblem } from '../../catalogue/problem.ts';
import { expectPlace, handleInPlace } from '../../catalogue/request-place.ts';
import type { TakeCallPlace } from '../../catalogue/share-calls.ts';
import type { Authenticate } from '../../domain/orgs/authenticate.ts';
import { callerOfKey } from '../../domain/orgs/caller-of-key.ts';
import type { Caller } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';
import { nestsDeeper } from '../../kernel/hostile-text.ts';
import type { ServeTools } from './serve-tools.ts';

/** Beyond what any input may nest. The SDK answered 500 to a message of 170,000 levels, which fits into a body. */
const deepestMessage = 64;

interface Extra {
  readonly caller: Caller;
  readonly calledTool: string | undefined;
}

/** The tool endpoint: stateless, one JSON answer a request, in every revision of the protocol. */
export function mountTools(
  app: FastifyInstance,
  serve: ServeTools,
  parts: {
    readonly authenticate: Authenticate;
    readonly enter: EnterFlight;
    readonly take: TakeCallPlace;
    readonly clock: Clock;
    /** Pages that may call tools from a browser. */
    readonly origins: readonly string[];
  },
): void {
  const serveFor = (auth: AuthInfo | undefined) => {
    const { caller, calledTool } = auth!.extra as unknown as Extra;
    return serve(caller, calledTool);
  };
  const modern = createMcpHandler(({ authInfo }) => serveFor(authInfo), { legacy: 'reject' });
  const answer = async (
    request: Request,
    options: { authInfo: AuthInfo; parsedBody: unknown },
  ): Promise<Response> => {
    if (!(await isLegacyRequest(request, options.parsedBody))) return modern.fetch(request, options);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await serveFor(options.authInfo).connect(transport);
    return transport.handleRequest(request, options);
  };

  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    config: { operation: 'mcp', face: 'mcp' },
    errorHandler: (error, _request, reply) => {
      const isTooDeep = error instanceof Failure && error.code === 'invalid_request';
      if (!isTooDeep && error.statusCode !== 400) throw error;
      const unreadable = protocolError(-32_700, 'Parse error: the body is not valid JSON.');
      void reply.code(400).send(isTooDeep ? tooDeep() : unreadable);
    },
    // Before the body is read, as over REST.
    onRequest: async (request, reply) => {
      const { origin } = request.headers;
      // A foreign page in the browser of a user who can reach us: the protocol asks servers to refuse it.
      if (origin !== undefined && !parts.origins.includes(origin)) return refuseOrigin(request, reply);
      const caller = await authenticateTool(request, parts.authenticate, parts.clock);
      if (caller === undefined) return refuseStranger(request, reply);
      reply.raw.once('close', parts.enter(caller.org).done);
      expectPlace(request, reply.raw, () => parts.take(caller.org, {}));
      toolCallers.set(request, caller);
    },
    handler: async (request, reply) => {
      const caller = toolCallers.get(request)!;
      if (request.method !== 'POST') {
        // A stateless server has no stream to open and no session to end. An idle stream would stay open as long as the
        // client, and closing the process would wait for it.
        const refusal = protocolError(-32_000, 'Method not allowed: send JSON-RPC messages with POST.');
        return reply.code(405).header('Allow', 'POST').send(refusal);
      }
      if (nestsDeeper(request.body, deepestMessage)) {
        return reply.code(400).send(tooDeep());
      }
      const body = request.body as { method?: unknown; params?: { name?: unknown } } | undefined;
      const name = body?.method === 'tools/call' ? body.params?.name : undefined;
      const extra: Extra = { caller, calledTool: typeof name === 'string' ? name : undefined };
      const authInfo = { token: '', clientId: caller.actor.id, scopes: [], extra: { ...extra } };
      const response = await handleInPlace(request, () =>
        answer(toWebRequest(request), { authInfo, parsedBody: request.body }),
      );
      return sendResponse(reply, response);
    },
  });
  app.addHook('onClose', () => modern.close());
}

/**
 * The request as the SDK reads it. Its body was read already, so this is the protocol's headers alone: the SDK's own adapter for
 * Node copies body and answer through streams, which cost as much as the rest of a call. Answers are not streamed, so a
 * client that takes plain JSON alone is served too.
 */
function toWebRequest(request: FastifyRequest): Request {
  const own = Object.entries(request.headers).filter(([name]) => name.startsWith('mcp-')) as [
    string,
    string,
  ][];
  const headers = [
    ...own,
    ['content-type', 'application/json'],
    ['accept', 'application/json, text/event-stream'],
  ];
  return new Request('http://tools/mcp', { method: 'POST', headers: headers as [string, string][] });
}

/** An answer is JSON; only a client that asks to listen for changes gets a stream. */
async function sendResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  const type = response.headers.get('content-type');
  void reply.code(response.status);
  if (type !== null) void reply.type(type);
  if (type?.startsWith('text/event-stream') === true && response.body !== null) {
    return reply.send(Readable.fromWeb(response.body as ReadableStream));
  }
  return reply.send(await response.text());
}

/** Who sent a request, kept from the moment its credential was checked until it is handled. */
const toolCallers = new WeakMap<FastifyRequest, Caller>();

function refuseStranger(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = new Failure(
    'unauthenticated',
    'Send an API key: `Authorization: Bearer rk_…`, or bare with `Auth-Type: api`.',
  );
  return reply
    .code(401)
    .header('WWW-Authenticate', 'Bearer realm="rostrum"')
    .type(problemType(request.headers.accept))
    .send(JSON.stringify(toProblem(failure, '/mcp', request.id)));
}

function refuseOrigin(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = new Failure('forbidden', 'Pages of this origin may not call tools. See MCP_ORIGINS.');
  return reply
    .code(403)
    .type(problemType(request.headers.accept))
    .send(JSON.stringify(toProblem(failure, '/mcp', request.id)));
}

const tooDeep = () => protocolError(-32_600, 'Invalid Request: the message is nested too deeply.');

/** An error of the protocol rather than of a call: it answers no request in particular. */
const protocolError = (code: number, message: string) => ({
  jsonrpc: '2.0',
  error: { code, message },
  id: null,
});

async function authenticateTool(
  request: FastifyRequest,
  authenticate: Authenticate,
  clock: Clock,
): Promise<Caller | undefined> {
  if (!hasOneCredential(request.raw)) return undefined;
  const { authorization = '', 'auth-type': authType } = request.headers;
  const secret = authType === 'api' ? authorization : /^bearer (.+)$/i.exec(authorization)?.[1];
  const record = secret === undefined ? undefined : await authenticate(secret, request.ip);
  if (record === undefined) return undefined;
  const now = clock.now();
  return callerOfKey(record, { face: 'mcp', requestId: request.id, address: request.ip, now }, new Set());
}
