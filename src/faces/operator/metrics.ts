import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  /** One call of an operation on a face: labels are names and codes, never an organization or a person. */
  observe(face: string, operation: string, result: string, seconds: number): void;
}

/** `outboxAge` tells how many seconds the oldest message has waited for the engine. */
export function createMetrics(outboxAge: () => Promise<number>): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const calls = new Histogram({
    name: 'rostrum_operation_seconds',
    help: 'How long operations took, by face, name and result.',
    labelNames: ['face', 'operation', 'result'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const known = new Map<string, ReturnType<typeof calls.labels>>();
  const waiting: Gauge = new Gauge({
    name: 'rostrum_outbox_oldest_seconds',
    help: 'How long the oldest message has waited to be handed to the engine.',
    registers: [registry],
    collect: async (): Promise<void> => waiting.set(await outboxAge()),
  });
  return {
    registry,
    observe: (face, operation, result, seconds) => {
      const name = `${face} ${operation} ${result}`;
      const child = known.get(name) ?? calls.labels({ face, operation, result });
      known.set(name, child); // finding a child by its labels costs more than observing
      child.observe(seconds);
    },
  };
}
