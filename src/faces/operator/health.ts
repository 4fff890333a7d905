import type { FastifyInstance } from 'fastify';

export interface Check {
  readonly ok: boolean;
  readonly detail: string;
}

export interface Readiness {
  /** What must hold for this process to serve. */
  readonly required: Readonly<Record<string, () => Promise<Check>>>;
  /** What is worth knowing and does not stop it: writes wait in the outbox while the engine is away. */
  readonly informative: Readonly<Record<string, () => Promise<Check>>>;
}

/** /health: the process answers. /ready: it can serve, with the reason when it cannot. */
export function serveHealth(app: FastifyInstance, readiness: Readiness, draining: () => boolean): void {
  app.get('/health', (_request, reply) => reply.send({ status: 'ok' }));
  app.get('/ready', async (_request, reply) => {
    const required = await runChecks(readiness.required);
    const informative = await runChecks(readiness.informative);
    const ready = !draining() && Object.values(required).every((check) => check.ok);
    return reply
      .code(ready ? 200 : 503)
      .send({ ready, draining: draining(), checks: { ...required, ...informative } });
  });
}

async function runChecks(checks: Readiness['required']): Promise<Record<string, Check>> {
  const entries = Object.entries(checks).map(async ([name, check]): Promise<[string, Check]> => {
    try {
      return [name, await check()];
    } catch (error) {
      return [name, { ok: false, detail: (error as { code?: string }).code ?? 'did not answer' }];
    }
  });
  return Object.fromEntries(await Promise.all(entries));
}
