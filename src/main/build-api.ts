import type { FastifyInstance } from 'fastify';
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
import { answerProblems } from '../faces/rest/failure-to-problem.ts';
import { readJsonOnly } from '../faces/rest/json-body.ts';
import { mountOperations } from '../faces/rest/mount-operations.ts';
import type { Clock } from '../kernel/clock.ts';
import { errorKind } from '../kernel/error-kind.ts';
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
import { newServer } from './new-server.ts';
import { noteRequests, noteTools } from './note-requests.ts';
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
  const app = newServer(config, clock, log);
  const keys = keyring(config);
  const mail = mailSettings(config);
  const { publicUrl } = mail;
  const { origin } = new URL(publicUrl);
  const authenticating = {
    database,
    clock,
    unknown: { perMinute: config.UNKNOWN_KEYS_PER_MINUTE, atOnce: partOfPool(config, 8) },
    onShed,
    onError: (error: unknown) => log.warn({ err: errorKind(error) }, 'last use not noted'),
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
  const noMail = (error: unknown): void => log.warn({ err: errorKind(error) }, 'mail to a user was not sent');
  const letters = letterBox(sendMail, noMail);
  app.addHook('onClose', () => letters.empty());
  const perform = performer(database, keys, mail, { tracer: parts.tracer, send: letters.send, isCrowded });
  const enter = inFlight(onShed);

  closeConnections(app);
  answerProblems(app);
  readJsonOnly(app);
  noteRequests(app, observe);
  const rest = { perform, authenticate, authenticateSession, origin, rate, enter, take, clock };
  mountOperations(app, { operations, ...rest });
  await mountCsvImport(app, rest);
  mountExports(app, rest);
  const tools = { operations, perform, rate, take, onCall: noteTools(log, observe) };
  const serveTools = async () => (await import('../faces/mcp/serve-tools.ts')).toolServer(tools);
  mountTools(app, serveTools, {
    credentials: { authenticate, authenticateConnection: connectionAuthenticator(authenticating), clock },
    permissionOf: new Map(operations.map((one: AnyOperation) => [one.name, one.permission])),
    enter,
    take,
    metadataUrl: `${publicUrl}/.well-known/oauth-protected-resource/mcp`,
    origins: [origin, ...config.MCP_ORIGINS], // of this installation itself, and those the operator names
  });
  const { oauth, connect } = connecting({
    database,
    clock,
    keys,
    publicUrl,
    operations,
    atOnce: partOfPool(config, 8),
    network: parts.documentNetwork,
  });
  await serveOauth(app, oauth);
  await serveReference(app, operations, publicUrl);
  const pages = { database, clock, keys, mail };
  const webhooks = { ...pages, uncheckedAtOnce: partOfPool(config, 8), onShed };
  await serveProviderWebhooks(app, {
    ...webhooks,
    byDefault: {
      sesTopicArns: config.SES_TOPIC_ARNS ?? [],
      mailgunSigningKey: config.MAILGUN_SIGNING_KEY,
    },
  });
  await serveTextWebhooks(app, { ...webhooks, texts: textSettings(config) });
  await servePlatformWebhooks(app, webhooks);
  await servePages(app, pages);
  await serveRegistration(app, { ...authenticating, ...pages, perform, takeForForm });
  serveDashboard(app, builtDashboard, authenticateSession);
  servePreviewOfLayout(app, { authenticateSession, origin });
  serveBroadcastPreview(app, rest);
  await serveAccount(app, {
    database,
    clock,
    keys,
    publicUrl,
    signUp: config.SIGN_UP,
    provider: identityProvider(config, (error) =>
      log.warn({ err: errorKind(error) }, 'the identity provider was not believed'),
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

/** What strangers may hold of the connections that all organizations share. */
const partOfPool = (config: Config, part: number): number =>
  Math.max(1, Math.floor(config.DATABASE_POOL_SIZE / part));
