import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { answerBadPath } from '../faces/rest/failure-to-problem.ts';
import { answerUnreadable } from '../faces/rest/unreadable-request.ts';
import type { Clock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import type { Config } from './config.ts';

/** A server without routes. */
export function newServer(config: Config, clock: Clock, log: Logger): FastifyInstance {
  return Fastify({
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
}
