import { engineMessages, type MessageName } from '../database/engine-messages.ts';
import type { OutboxMessage } from '../database/outbox.ts';
import { continueTrace, traceparent, type Tracer } from '../kernel/trace.ts';

/** What the service asks of its durable engine; Restate answers it, and another could. */
export interface Engine {
  /** Hands a message over at least once; the same key is run once. True when it was taken. */
  send(message: OutboxMessage, key: string): Promise<boolean>;
  healthy(): Promise<boolean>;
}

/** Objects of the engine, which keep what they know in its state. */
export interface EngineObjects {
  /** Waits for what the object answers. Undefined: it did not answer. */
  ask(object: ObjectCall, question: unknown): Promise<unknown>;
}

interface ObjectCall {
  readonly name: string;
  readonly key: string;
  readonly handler: string;
}

const patience = 10_000;
const json = { 'content-type': 'application/json' };

/**
 * Restate, at the address of one node or those of a cluster's. If a node does not take a message, the next one is
 * tried; all of them know the key, so a message that the first took after all still runs once.
 */
export function restateEngine(ingressUrls: readonly string[], tracer?: Tracer): Engine & EngineObjects {
  let chosen = 0; // the node that answered last

  async function ask(path: string, init: RequestInit, waitMs: number): Promise<Response | undefined> {
    const first = chosen;
    for (let turn = 0; turn < ingressUrls.length; turn++) {
      const node = (first + turn) % ingressUrls.length;
      const signal = AbortSignal.timeout(waitMs);
      const response = await fetch(ingressUrls[node] + path, { ...init, signal }).catch(() => undefined);
      if (response?.ok === true) {
        chosen = node;
        return response;
      }
      await response?.body?.cancel();
    }
    return undefined;
  }

  async function isTaken(path: string, init: RequestInit, waitMs: number): Promise<boolean> {
    const response = await ask(path, init, waitMs);
    await response?.body?.cancel();
    return response !== undefined;
  }

  return {
    send: ({ service, handler, payload, traceparent: cause }, key) =>
      continueTrace(
        tracer,
        cause,
        { name: `relay ${service}`, kind: 'producer', fields: {} },
        async (tell) => {
          const from = traceparent() ?? cause;
          const headers = { ...json, 'idempotency-key': key, ...(from != null && { traceparent: from }) };
          const init = { method: 'POST', headers, body: JSON.stringify(payload) };
          const taken = await isTaken(`${pathOf(service, payload)}/${handler}/send`, init, patience);
          tell({ taken: taken ? 1 : 0 });
          return taken;
        },
      ),
    ask: async ({ name, key, handler }, question) => {
      const init = { method: 'POST', headers: json, body: JSON.stringify(question) };
      const response = await ask(`/${name}/${encodeURIComponent(key)}/${handler}`, init, patience);
      return response?.json().catch(() => undefined);
    },
    healthy: () => isTaken('/restate/health', {}, 2_000),
  };
}

/** What is done one by one is an object of the engine for each organization. */
function pathOf(service: string, { org_id }: OutboxMessage['payload']): string {
  const isOneByOne =
    Object.hasOwn(engineMessages, service) && engineMessages[service as MessageName].oneByOne;
  return isOneByOne ? `/${service}/${String(org_id)}` : `/${service}`;
}
