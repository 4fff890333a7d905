import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { EnterFlight } from '../../catalogue/in-flight.ts';
import { expectPlace, handleInPlace } from '../../catalogue/request-place.ts';
import type { TakeCallPlace } from '../../catalogue/share-calls.ts';
import type { Permission } from '../../kernel/caller.ts';
import { Failure } from '../../kernel/failure.ts';
import { nestsDeeper } from '../../kernel/hostile-text.ts';
import type { Answering } from './answer-messages.ts';
import { authenticateTool, lacks, type ToolCaller, type ToolCredentials } from './authenticate.ts';
import { refuseForNow, refuseOrigin, refuseStranger } from './refuse.ts';
import type { ServeTools } from './serve-tools.ts';

/** Beyond what any input may nest. The SDK answered 500 to a message of 170,000 levels, which fits into a body. */
const deepestMessage = 64;

interface Extra extends ToolCaller {
  readonly calledTool: string | undefined;
  readonly gone: AbortSignal;
}

/** The tool endpoint: stateless, one JSON answer a request, in every revision of the protocol. */
export function mountTools(
  app: FastifyInstance,
  serve: () => Promise<ServeTools>,
  parts: {
    readonly credentials: ToolCredentials;
    /** What each tool asks for. */
    readonly permissionOf: ReadonlyMap<string, Permission | undefined>;
    readonly enter: EnterFlight;
    readonly take: TakeCallPlace;
    /** Where clients read how to get a token. */
    readonly metadataUrl: string;
    /** Pages that may call tools from a browser. */
    readonly origins: readonly string[];
  },
): void {
  let made: Promise<Answering> | undefined;
  /** Made for the first message: the SDK takes 5 MB, and where nobody uses tools it is never loaded. */
  const answering = (): Promise<Answering> =>
    (made ??= Promise.all([serve(), import('./answer-messages.ts')]).then(([tools, { answerMessages }]) =>
      answerMessages(({ extra }) => {
        const { caller, calledTool, offered, gone } = extra as unknown as Extra;
        return tools(caller, calledTool, offered, gone);
      }),
    ));

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
      const found = await authenticateTool(request, parts.credentials);
      if (found === undefined) return refuseStranger(request, reply, parts.metadataUrl);
      const { org } = found.caller;
      reply.raw.once('close', parts.enter(org).done);
      expectPlace(request, reply.raw, () => parts.take(org, {}));
      toolCallers.set(request, found);
    },
    handler: async (request, reply) => {
      const found = toolCallers.get(request)!;
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
      const calledTool = typeof name === 'string' ? name : undefined;
      const lacking = lacks(found, parts.permissionOf.get(calledTool ?? ''));
      if (lacking !== undefined) return refuseForNow(request, reply, lacking, parts.metadataUrl);
      const hangUp = new AbortController();
      reply.raw.once('close', () => hangUp.abort());
      const extra: Extra = { ...found, calledTool, gone: hangUp.signal };
      const authInfo = { token: '', clientId: found.caller.actor.id, scopes: [], extra: { ...extra } };
      const tools = await answering();
      const response = await handleInPlace(request, () =>
        tools.answer(toWebRequest(request), { authInfo, parsedBody: request.body }),
      );
      return sendResponse(reply, response);
    },
  });
  app.addHook('onClose', async () => (await made)?.close());
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
const toolCallers = new WeakMap<FastifyRequest, ToolCaller>();

const tooDeep = () => protocolError(-32_600, 'Invalid Request: the message is nested too deeply.');

/** An error of the protocol rather than of a call: it answers no request in particular. */
const protocolError = (code: number, message: string) => ({
  jsonrpc: '2.0',
  error: { code, message },
  id: null,
});
