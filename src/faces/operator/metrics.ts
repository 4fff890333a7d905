import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { OnShed } from '../../kernel/shed.ts';

/** What is read from the rows each time somebody asks for the metrics. */
export interface Signals {
  /** How many seconds the oldest message has waited for the engine, and whose it is. */
  readonly outbox: () => Promise<{ seconds: number; org: string | undefined }>;
  /** How many seconds the oldest work of each kind has been due. */
  readonly lateness: () => Promise<Readonly<Record<string, number>>>;
  /** How many seconds the oldest open or click has waited to be judged. */
  readonly judgeLag: () => Promise<number>;
  /** How many receiving domains get less from all of us now, by receiver. */
  readonly slowedReceivers: () => Promise<Readonly<Record<string, number>>>;
  /** Whether sending is held for the whole installation. */
  readonly isHeld: () => Promise<boolean>;
}

/** The connections of a process to the database. */
interface WatchedPool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

export interface Metrics {
  readonly registry: Registry;
  /** One call of an operation on a face: labels are names and codes, never an organization or a person. */
  observe(face: string, operation: string, result: string, seconds: number): void;
  /** One call that was turned away to keep the others served. */
  readonly shed: OnShed;
  watchPool(pool: WatchedPool): void;
  /** One piece of work that waited so long for a connection to the database. */
  readonly waited: (seconds: number) => void;
  /** What became of messages, in the words of the ledger. */
  readonly outcomes: (channel: string, states: readonly string[]) => void;
}

/** The states a message ends in; one that is put off is in none of them. */
const outcomes = new Set(['sent', 'failed', 'skipped', 'uncertain']);

export function createMetrics(signals: Signals): Metrics {
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
  const shed = new Counter({
    name: 'rostrum_calls_shed_total',
    help: 'Calls turned away without doing their work, by reason.',
    labelNames: ['reason'],
    registers: [registry],
  });
  const waits = new Histogram({
    name: 'rostrum_database_wait_seconds',
    help: 'How long work waited for a connection to the database.',
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  const messages = new Counter({
    name: 'rostrum_messages_total',
    help: 'Messages of which this process recorded the outcome, by channel and state.',
    labelNames: ['channel', 'state'],
    registers: [registry],
  });
  // From the first on: the increase of a series is told from its second value.
  for (const channel of ['email', 'sms']) for (const state of outcomes) messages.inc({ channel, state }, 0);
  const pools: WatchedPool[] = [];
  addSignals(registry, signals);
  addPools(registry, pools);
  return {
    registry,
    shed: (reason) => shed.inc({ reason }),
    watchPool: (pool) => void pools.push(pool),
    waited: (seconds) => waits.observe(seconds),
    outcomes: (channel, states) => {
      for (const state of states) if (outcomes.has(state)) messages.inc({ channel, state });
    },
    observe: (face, operation, result, seconds) => {
      const name = `${face} ${operation} ${result}`;
      const child = known.get(name) ?? calls.labels({ face, operation, result });
      known.set(name, child); // finding a child by its labels costs more than observing
      child.observe(seconds);
    },
  };
}

function addSignals(
  registry: Registry,
  { outbox, lateness, judgeLag, slowedReceivers, isHeld }: Signals,
): void {
  const registers = [registry];
  const waiting: Gauge = new Gauge({
    name: 'rostrum_outbox_oldest_seconds',
    help: 'How long the oldest message has waited to be handed to the engine, and the organization it is of.',
    labelNames: ['org_id'],
    registers,
    collect: async (): Promise<void> => {
      const { seconds, org = '' } = await outbox();
      waiting.reset(); // only the oldest is told
      waiting.set({ org_id: org }, seconds);
    },
  });
  const late: Gauge = new Gauge({
    name: 'rostrum_due_oldest_seconds',
    help: 'How long the oldest work of each kind has been due without being done.',
    labelNames: ['work'],
    registers,
    collect: async (): Promise<void> => {
      for (const [work, seconds] of Object.entries(await lateness())) late.set({ work }, seconds);
    },
  });
  const judging: Gauge = new Gauge({
    name: 'rostrum_judge_lag_seconds',
    help: 'How long the oldest open or click has waited to be judged.',
    registers,
    collect: async (): Promise<void> => judging.set(await judgeLag()),
  });
  const slowed: Gauge = new Gauge({
    name: 'rostrum_receivers_slowed',
    help: 'Receiving domains that asked the installation for less and get a message a minute, by receiver.',
    labelNames: ['receiver'],
    registers,
    collect: async (): Promise<void> => {
      for (const [receiver, count] of Object.entries(await slowedReceivers()))
        slowed.set({ receiver }, count);
    },
  });
  const held: Gauge = new Gauge({
    name: 'rostrum_sending_held',
    help: '1 while all sending is held because the database went back, else 0.',
    registers,
    collect: async (): Promise<void> => held.set((await isHeld()) ? 1 : 0),
  });
}

function addPools(registry: Registry, pools: readonly WatchedPool[]): void {
  const sum = (of: (pool: WatchedPool) => number): number => pools.reduce((all, pool) => all + of(pool), 0);
  const connections: Gauge = new Gauge({
    name: 'rostrum_database_connections',
    help: 'Connections of this process to the database, and the work that waits for one.',
    labelNames: ['state'],
    registers: [registry],
    collect: (): void => {
      connections.set(
        { state: 'busy' },
        sum(({ totalCount, idleCount }) => totalCount - idleCount),
      );
      connections.set(
        { state: 'idle' },
        sum(({ idleCount }) => idleCount),
      );
      connections.set(
        { state: 'waited_for' },
        sum(({ waitingCount }) => waitingCount),
      );
    },
  });
}
