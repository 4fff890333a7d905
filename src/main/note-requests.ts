import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { ToolParts } from '../faces/mcp/call-tool.ts';
import type { Metrics } from '../faces/operator/metrics.ts';
import { errorKind } from '../kernel/error-kind.ts';

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

/** A request id on every answer, one log line and one measurement a request. */
export function noteRequests(app: FastifyInstance, observe: Metrics['observe']): void {
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

/** One log line and one measurement a tool call. */
export const noteTools =
  (log: Logger, observe: Metrics['observe']): ToolParts['onCall'] =>
  ({ operation, caller, code, milliseconds, error }) => {
    observe('mcp', operation, code, milliseconds / 1000);
    const { requestId: request_id, org: org_id } = caller;
    const fields = { request_id, org_id, face: 'mcp', operation, result: code };
    if (code === 'internal') log.error({ ...fields, err: errorKind(error) }, 'tool failed');
    else log.info({ ...fields, ms: Math.round(milliseconds) }, 'tool');
  };
