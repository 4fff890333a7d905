import type { OutboxMessage } from '../database/outbox.ts';

/** What the service asks of its durable engine; Restate answers it, and another could. */
export interface Engine {
  /** Hands a message over at least once; the same id is run once. True when it was taken. */
  send(message: OutboxMessage, id: string): Promise<boolean>;
  healthy(): Promise<boolean>;
}

const patience = 10_000;

export function restateEngine(ingressUrl: string): Engine {
  return {
    async send({ service, handler, payload }, id) {
      const response = await fetch(`${ingressUrl}/${service}/${handler}/send`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': `outbox-${id}` },
        body: JSON.stringify(payload),
        signal: AbortSignal.timeout(patience),
      });
      await response.body?.cancel();
      return response.ok;
    },
    async healthy() {
      const response = await fetch(`${ingressUrl}/restate/health`, { signal: AbortSignal.timeout(2_000) });
      await response.body?.cancel();
      return response.ok;
    },
  };
}
