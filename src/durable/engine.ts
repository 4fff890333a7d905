import type { OutboxMessage } from '../database/outbox.ts';

/** What the service asks of its durable engine; Restate answers it, and another could. */
export interface Engine {
  /** Hands a message over at least once; the same id is run once. True when it was taken. */
  send(message: OutboxMessage, id: string): Promise<boolean>;
  healthy(): Promise<boolean>;
}

const patience = 10_000;

/**
 * Restate, at the address of one node or those of a cluster's. A node that does not take a message is passed over for
 * the next; the id is known to all of them, so a message that the first had taken after all is still run once.
 */
export function restateEngine(ingressUrls: readonly string[]): Engine {
  let chosen = 0; // the node that answered last

  async function ask(path: string, init: RequestInit, waitMs: number): Promise<boolean> {
    const first = chosen;
    for (let turn = 0; turn < ingressUrls.length; turn++) {
      const node = (first + turn) % ingressUrls.length;
      const signal = AbortSignal.timeout(waitMs);
      const response = await fetch(ingressUrls[node] + path, { ...init, signal }).catch(() => undefined);
      await response?.body?.cancel();
      if (response?.ok !== true) continue;
      chosen = node;
      return true;
    }
    return false;
  }

  return {
    send: ({ service, handler, payload }, id) =>
      ask(
        `/${service}/${handler}/send`,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': `outbox-${id}` },
          body: JSON.stringify(payload),
        },
        patience,
      ),
    healthy: () => ask('/restate/health', {}, 2_000),
  };
}
