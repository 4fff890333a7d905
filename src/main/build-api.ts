import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
} from 'fastify';
import type { Logger } from 'pino';
import { inFlight } from '../catalogue/in-flight.ts';
import { operations } from '../catalogue/operations.ts';
import { performer } from '../catalogue/perform.ts';
import { shareCalls } from '../catalogue/share-calls.ts';
import type { Database } from '../database/pool.ts';
import { connectionAuthenticator } from '../domain/connections/authenticate-connection.ts';
import type { DocumentNetwork } from '../domain/connections/fetch-document.ts';
import { sessionAuthenticator } from '../domain/members/authenticate-session.ts';
import { authenticator } from '../domain/orgs/authenticate.ts';
import { heavyUnitMs, rateLimiter } from '../domain/orgs/rate-limit.ts';
import { serveAccount } from '../faces/account/serve-account.ts';
import { servePreviewOfLayout } from '../faces/dashboard/preview-layout.ts';
import { serveBroadcastPreview } from '../faces/dashboard/serve-broadcast-preview.ts';
import { serveDashboard } from '../faces/dashboard/serve-dashboard.ts';
import { mountTools } from '../faces/mcp/mount-tools.ts';
import type { ToolParts } from '../faces/mcp/call-tool.ts';
import { serveOauth } from '../faces/oauth/serve-oauth.ts';
import { serveReference } from '../faces/openapi/serve-reference.ts';
import type { Metrics } from '../faces/operator/metrics.ts';
import { servePages } from '../faces/public/page-scope.ts';
import { servePlatformWebhooks } from '../faces/public/platform-webhooks.ts';
import { serveProviderWebhooks } from '../faces/public/provider-webhooks.ts';
import { serveRegistration } from '../faces/public/registration/serve-registration.ts';
import { serveTextWebhooks } from '../faces/public/text-webhooks.ts';
import { mountCsvImport } from '../faces/rest/csv/mount-csv-import.ts';
import { mountExports } from '../faces/rest/csv/mount-exports.ts';
import { answerBadPath, answerProblems } from '../faces/rest/failure-to-problem.ts';
import { readJsonOnly } from '../faces/rest/json-body.ts';
import { mountOperations } from '../faces/rest/mount-operations.ts';
import { answerUnreadable } from '../faces/rest/unreadable-request.ts';
import type { Clock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import type { AnyOperation } from '../kernel/operation.ts';
import type { OnShed } from '../kernel/shed.ts';
import type { Tracer } from '../kernel/trace.ts';
import { accountMail, letterBox } from './account-mail.ts';
import type { Config } from './config.ts';
import { closeConnections } from './close-connections.ts';
import { connecting } from './connecting.ts';
import { builtDashboard } from './dashboard.ts';
import { identityProvider } from './identity-provider.ts';
import { keyring } from './keys.ts';
import { mailSettings } from './mail-settings.ts';
import { textSettings } from './text-settings.ts';

export interface ApiParts {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** Measures every call. */
  readonly observe?: Metrics['observe'];
  /** Hears of every call that was turned away to keep the others served. */
  readonly onShed?: OnShed;
  /** Traces calls. */
  readonly tracer?: Tracer | undefined;
  /** Where documents of clients are fetched from; the internet if it is not said. */
  readonly documentNetwork?: DocumentNetwork | undefined;
  /** Gets the mail about accounts where there is no mail server. */
  readonly printMail?: ((text: string) => void) | undefined;
}

/** The API process: every face over one catalogue. */
export async function buildApi(parts: ApiParts): Promise<FastifyInstance> {
  const { config, database, clock, log, observe = () => undefined, onShed = () => undefined } = parts;
  const app: FastifyInstance = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }), // it would log whole URLs, and a query may hold an address
    childLoggerFactory: (logger) => logger, // every line names its request id itself
    genReqId: () => newId(clock.now()),
    bodyLimit: config.BODY_LIMIT_BYTES,
    requestTimeout: 60_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false, // a request that still comes over an open connection is served, and the connection then closed
    trustProxy: config.TRUST_PROXY,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: answerBadPath,
    clientErrorHandler: answerUnreadable(() => newId(clock.now())),
  });
  const authenticating = {
    database,
    clock,
    unknown: { perMinute: config.UNKNOWN_KEYS_PER_MINUTE, atOnce: partOfPool(config, 8) },
    onShed,
    onError: (error: unknown) => log.warn({ err: kindOf(error) }, 'last use not noted'),
  };
  const authenticate = authenticator(authenticating);
  const authenticateSession = sessionAuthenticator(authenticating);
  const rate = rateLimiter(database, {
    perMinute: {
      read: config.RATE_READ_PER_MINUTE,
      write: config.RATE_WRITE_PER_MINUTE,
      heavy: config.RATE_HEAVY_PER_MINUTE,
    },
  });
  const { take, takeForForm, isCrowded } = shareCalls(config.DATABASE_POOL_SIZE, {
    onShed,
    onHeavy: (org, ms) => {
      const more = Math.floor(ms / heavyUnitMs);
      // While the database is away nothing is counted, and nothing is answered.
      if (more > 0) rate(org, 'heavy', clock.now(), more).catch(() => undefined);
    },
  });
  const sendMail = accountMail(config, parts.printMail);
  const noMail = (error: unknown): void => log.warn({ err: kindOf(error) }, 'mail to a user was not sent');
  const letters = letterBox(sendMail, noMail);
  app.addHook('onClose', () => letters.empty());
  const perform = performer(database, keyring(config), mailSettings(config), {
    tracer: parts.tracer,
    send: letters.send,
    isCrowded,
  });
  const enter = inFlight(onShed);

  closeConnections(app);
  answerProblems(app);
  readJsonOnly(app);
  noteRequests(app, observe);
  const rest = {
    perform,
    authenticate,
    authenticateSession,
    origin: originOf(config),
    rate,
    enter,
    take,
    clock,
  };
  mountOperations(app, { operations, ...rest });
  await mountCsvImport(app, rest);
  mountExports(app, rest);
  const tools: ToolParts = {
    operations,
    perform,
    rate,
    take,
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
  };
  const { publicUrl } = mailSettings(config);
  const serveTools = async () => (await import('../faces/mcp/serve-tools.ts')).toolServer(tools);
  mountTools(app, serveTools, {
    credentials: { authenticate, authenticateConnection: connectionAuthenticator(authenticating), clock },
    permissionOf: new Map(operations.map((one: AnyOperation) => [one.name, one.permission])),
    enter,
    take,
    metadataUrl: `${publicUrl}/.well-known/oauth-protected-resource/mcp`,
    origins: mcpOrigins(config),
  });
  const { oauth, connect } = connecting({
    database,
    clock,
    keys: keyring(config),
    publicUrl,
    operations,
    atOnce: partOfPool(config, 8),
    network: parts.documentNetwork,
  });
  await serveOauth(app, oauth);
  await serveReference(app, operations, mailSettings(config).publicUrl);
  await serveProviderWebhooks(app, {
    database,
    keys: keyring(config),
    mail: mailSettings(config),
    clock,
    byDefault: {
      sesTopicArns: config.SES_TOPIC_ARNS ?? [],
      mailgunSigningKey: config.MAILGUN_SIGNING_KEY,
    },
    uncheckedAtOnce: partOfPool(config, 8),
    onShed,
  });
  await serveTextWebhooks(app, {
    database,
    clock,
    keys: keyring(config),
    mail: mailSettings(config),
    texts: textSettings(config),
    uncheckedAtOnce: partOfPool(config, 8),
    onShed,
  });
  await servePlatformWebhooks(app, {
    database,
    clock,
    keys: keyring(config),
    mail: mailSettings(config),
    uncheckedAtOnce: partOfPool(config, 8),
    onShed,
  });
  await servePages(app, { database, clock, keys: keyring(config), mail: mailSettings(config) });
  await serveRegistration(app, {
    ...authenticating,
    keys: keyring(config),
    mail: mailSettings(config),
    perform,
    takeForForm,
  });
  serveDashboard(app, builtDashboard, authenticateSession);
  servePreviewOfLayout(app, { authenticateSession, origin: originOf(config) });
  serveBroadcastPreview(app, rest);
  await serveAccount(app, {
    database,
    clock,
    keys: keyring(config),
    publicUrl: mailSettings(config).publicUrl,
    signUp: config.SIGN_UP,
    provider: identityProvider(config, (error) =>
      log.warn({ err: kindOf(error) }, 'the identity provider was not believed'),
    ),
    connect,
    atOnce: partOfPool(config, 4),
    send: sendMail,
    onTrouble: noMail,
  });
  // For load balancers. The operator's other routes have a port of their own.
  app.get('/health', (_request, reply) => reply.send({ status: 'ok' }));
  return app;
}

/**
 * Every answer is private: it must not be cached, sniffed for another type, or framed. A page sets its own policy on
 * what it may load.
 */
const guarded = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Pages of this installation itself, and those the operator names. */
const mcpOrigins = (config: Config): string[] => [originOf(config), ...config.MCP_ORIGINS];

const originOf = (config: Config): string => new URL(mailSettings(config).publicUrl).origin;

/** A request id on every answer, one log line and one measurement a request. */
function noteRequests(app: FastifyInstance, observe: Metrics['observe']): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('Request-Id', request.id).headers(guarded);
  });
  app.addHook('onResponse', async (request, reply) => {
    const { operation, face = 'rest' } = request.routeOptions.config;
    if (operation === undefined) return;
    if (operation === 'mcp' && reply.statusCode < 400) return; // a tool notes itself
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

/** What strangers may hold of the connections that all organizations share. */
const partOfPool = (config: Config, part: number): number =>
  Math.max(1, Math.floor(config.DATABASE_POOL_SIZE / part));

const kindOf = (error: unknown): string =>
  (error as { code?: string }).code ?? (error instanceof Error ? error.name : 'unknown');
