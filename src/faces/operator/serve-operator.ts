import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isSameText } from '../../kernel/same-text.ts';
import type { Metrics } from './metrics.ts';
import { checkReadiness, type Readiness } from './readiness.ts';

export interface OperatorParts {
  readonly host: string;
  readonly port: number;
  readonly metrics: Metrics;
  /** When set, /metrics asks for it. */
  readonly metricsToken: string | undefined;
  readonly readiness: Readiness;
  /** Where the process is in its life: it is ready only while it serves. */
  readonly phase: () => 'starting' | 'serving' | 'draining';
}

interface Answer {
  readonly status: number;
  readonly type?: string;
  readonly body: unknown;
}

/**
 * What the operator asks of a process, on a port of its own. /health: it answers. /ready: it can serve, with the reason
 * when it cannot. /metrics: Prometheus. Without Fastify, because most processes do without it.
 */
export async function serveOperator(parts: OperatorParts): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    answerTo(parts, request).then(
      (answer) => send(response, answer),
      () => send(response, { status: 503, body: { detail: 'This could not be found out.' } }),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(parts.port, parts.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answerTo(parts: OperatorParts, { method, url, headers }: IncomingMessage): Promise<Answer> {
  const path = method === 'GET' ? url?.split('?', 1)[0] : undefined;
  if (path === '/health') return { status: 200, body: { status: 'ok' } };
  if (path === '/ready') {
    const phase = parts.phase();
    const { holds, checks } = await checkReadiness(parts.readiness);
    const ready = phase === 'serving' && holds;
    return { status: ready ? 200 : 503, body: { ready, phase, checks } };
  }
  if (path === '/metrics') {
    const { registry } = parts.metrics;
    const token = parts.metricsToken;
    if (token !== undefined && !isSameText(headers.authorization ?? '', `Bearer ${token}`))
      return { status: 401, body: { detail: 'Send METRICS_TOKEN as a bearer token.' } };
    return { status: 200, type: registry.contentType, body: await registry.metrics() };
  }
  return { status: 404, body: { detail: 'Ask for /health, /ready or /metrics.' } };
}

function send(response: ServerResponse, { status, type = 'application/json', body }: Answer): void {
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
