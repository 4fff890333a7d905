import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
} from 'fastify';
import type { Logger } from 'pino';
import { operations } from '../catalogue/operations.ts';
import { performer } from '../catalogue/perform.ts';
import type { Database } from '../database/pool.ts';
import { authenticator } from '../domain/orgs/authenticate.ts';
import { rateLimiter } from '../domain/orgs/rate-limit.ts';
import { mountTools } from '../faces/mcp/mount-tools.ts';
import { toolServer } from '../faces/mcp/serve-tools.ts';
import { serveReference } from '../faces/openapi/serve-reference.ts';
import type { Metrics } from '../faces/operator/metrics.ts';
import { servePages } from '../faces/public/page-scope.ts';
import { serveProviderWebhooks } from '../faces/public/provider-webhooks.ts';
import { serveTextWebhooks } from '../faces/public/text-webhooks.ts';
import { serveZoomWebhooks } from '../faces/public/zoom-webhooks.ts';
import { mountCsvImport } from '../faces/rest/csv/mount-csv-import.ts';
import { answerBadPath, answerProblems } from '../faces/rest/failure-to-problem.ts';
import { readJsonOnly } from '../faces/rest/json-body.ts';
import { mountOperations } from '../faces/rest/mount-operations.ts';
import { answerUnreadable } from '../faces/rest/unreadable-request.ts';
import type { Clock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import type { Config } from './config.ts';
import { keyring } from './keys.ts';
import { mailSettings } from './mail-settings.ts';
import { textSettings } from './text-settings.ts';

export interface ApiParts {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** Told of every call. */
  readonly observe?: Metrics['observe'];
}

/** The API process: every face over one catalogue. */
export async function buildApi(parts: ApiParts): Promise<FastifyInstance> {
  const { config, database, clock, log, observe = () => undefined } = parts;
  const app: FastifyInstance = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }), // it would log whole URLs, and a query may hold an address
    childLoggerFactory: (logger) => logger, // every line names its request id itself
    genReqId: () => newId(clock.now()),
    bodyLimit: config.BODY_LIMIT_BYTES,
    requestTimeout: 60_000,
    forceCloseConnections: 'idle',
    trustProxy: config.TRUST_PROXY,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: answerBadPath,
    clientErrorHandler: answerUnreadable(() => newId(clock.now())),
  });
  const authenticate = authenticator(database, clock, (error) =>
    log.warn({ err: kindOf(error) }, 'last use not noted'),
  );
  const rate = rateLimiter(database, {
    perMinute: {
      read: config.RATE_READ_PER_MINUTE,
      write: config.RATE_WRITE_PER_MINUTE,
      heavy: config.RATE_HEAVY_PER_MINUTE,
    },
  });
  const perform = performer(database, keyring(config), mailSettings(config));

  answerProblems(app);
  readJsonOnly(app);
  noteRequests(app, observe);
  mountOperations(app, { operations, perform, authenticate, rate, clock });
  await mountCsvImport(app, { perform, authenticate, rate, clock });
  const tools = toolServer({
    operations,
    perform,
    rate,
    onCall: ({ operation, caller, code, milliseconds, error }) => {
      observe('mcp', operation, code, milliseconds / 1000);
      const fields = {
        request_id: caller.requestId,
        org_id: caller.org,
        face: 'mcp',
        operation,
        result: code,
      };
      if (code === 'internal') log.error({ ...fields, err: kindOf(error) }, 'tool failed');
      else log.info({ ...fields, ms: Math.round(milliseconds) }, 'tool');
    },
  });
  mountTools(app, tools, { authenticate, clock, origins: mcpOrigins(config) });
  await serveReference(app, operations, mailSettings(config).publicUrl);
  await serveProviderWebhooks(app, {
    database,
    keys: keyring(config),
    mail: mailSettings(config),
    clock,
    sesTopicArns: config.SES_TOPIC_ARNS ?? [],
    mailgunSigningKey: config.MAILGUN_SIGNING_KEY,
  });
  const texts = textSettings(config);
  await serveTextWebhooks(app, {
    database,
    clock,
    keys: keyring(config),
    mail: mailSettings(config),
    twilioAuthToken: texts.through === 'twilio' ? texts.authToken : undefined,
  });
  await serveZoomWebhooks(app, { database, clock, keys: keyring(config), mail: mailSettings(config) });
  await servePages(app, { database, clock, keys: keyring(config), mail: mailSettings(config) });
  // For what balances load. The rest of what the operator asks has a port of its own.
  app.get('/health', (_request, reply) => reply.send({ status: 'ok' }));
  return app;
}

/**
 * Whatever leaves here is somebody's: kept by nobody, taken for nothing but what it is, and shown in no frame. A page
 * says itself what it may load.
 */
const guarded = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Pages of this installation itself, and those the operator names. */
const mcpOrigins = (config: Config): string[] => [
  new URL(mailSettings(config).publicUrl).origin,
  ...config.MCP_ORIGINS,
];

/** A request id on every answer, one log line and one measurement a request. */
function noteRequests(app: FastifyInstance, observe: Metrics['observe']): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('Request-Id', request.id).headers(guarded);
  });
  app.addHook('onResponse', async (request, reply) => {
    const { operation, face = 'rest' } = request.routeOptions.config;
    if (operation === undefined || operation === 'mcp') return;
    observe(face, operation, String(reply.statusCode), reply.elapsedTime / 1000);
    request.log.info(logFields(request, reply.statusCode, reply.elapsedTime), 'request');
  });
}

const logFields = (request: FastifyRequest, status: number, ms: number): Record<string, unknown> => ({
  request_id: request.id,
  org_id: request.caller?.org,
  face: request.routeOptions.config.face ?? 'rest',
  operation: request.routeOptions.config.operation,
  status,
  ms: Math.round(ms),
});

const kindOf = (error: unknown): string =>
  (error as { code?: string }).code ?? (error instanceof Error ? error.name : 'unknown');
