import type { Logger } from 'pino';
import { openDatabase, openPool } from '../database/pool.ts';
import { checkDatabase, checkSending, readOutboxAge, readSlowDomains } from '../database/ready.ts';
import { countByReceiver } from '../domain/delivery/providers/smtp/receiver-slots.ts';
import { restateEngine } from '../durable/engine.ts';
import { readJudgeLag } from '../durable/judge-lag.ts';
import { judgeLateness, readLateness } from '../durable/late-work.ts';
import { createMetrics, type Metrics, type Signals } from '../faces/operator/metrics.ts';
import { serveOperator } from '../faces/operator/serve-operator.ts';
import { systemClock } from '../kernel/clock.ts';
import type { Config } from './config.ts';

/** The port of each part, counted from OPERATOR_PORT, so that one machine can run them all. */
const places = { api: 0, all: 0, handlers: 1, relay: 2, mailbox: 3 } as const;
export type ServedPart = keyof typeof places;

/**
 * Of these /ready is red while something due is not done, whatever the cause, or sending is held. The API can serve all
 * the same, and handlers that were taken out of service for it could never catch up: they only tell it.
 */
const looksAfterWork: readonly ServedPart[] = ['relay', 'all'];

export interface Operator {
  readonly url: string;
  readonly metrics: Metrics;
  /** Until then, and after `drain`, the process is not ready. */
  serve(): void;
  drain(): void;
  close(): Promise<void>;
}

/** /health, /ready and /metrics of this process, over connections of their own. */
export async function startOperator(config: Config, part: ServedPart, log: Logger): Promise<Operator> {
  const pool = openPool({
    url: config.DATABASE_URL,
    size: 2,
    onError: (error) => log.warn({ err: error.name }, 'a database connection was lost'),
  });
  const database = openDatabase(pool);
  const engine = restateEngine(config.RESTATE_INGRESS_URL);
  const lateness = () => readLateness(database, systemClock.now());
  const signals: Signals = {
    outbox: () => readOutboxAge(database, systemClock.now()),
    lateness,
    judgeLag: () => readJudgeLag(database, systemClock.now()),
    slowedReceivers: async () => countByReceiver(await readSlowDomains(database, systemClock.now())),
    isHeld: async () => !(await checkSending(database)).ok,
  };
  const metrics = createMetrics(signals);
  const lookedAfter = {
    work: async () => judgeLateness(await lateness()),
    sending: () => checkSending(database),
  };
  let phase: 'starting' | 'serving' | 'draining' = 'starting';
  const served = await serveOperator({
    host: config.OPERATOR_HOST,
    port: config.OPERATOR_PORT === 0 ? 0 : config.OPERATOR_PORT + places[part],
    metrics,
    metricsToken: config.METRICS_TOKEN,
    readiness: {
      required: {
        database: () => checkDatabase(database),
        ...(looksAfterWork.includes(part) && lookedAfter),
      },
      informative: {
        engine: async () => ({ ok: await engine.healthy(), detail: 'Restate ingress' }),
        outbox: async () => {
          const { seconds, org } = await signals.outbox();
          const whose = org === undefined ? '' : `, of organization ${org}`;
          return { ok: seconds < 60, detail: `oldest message waits ${Math.round(seconds)} s${whose}` };
        },
        ...(!looksAfterWork.includes(part) && lookedAfter),
      },
    },
    phase: () => phase,
  });
  const url = `http://${config.OPERATOR_HOST}:${served.port}`;
  log.info({ url }, 'the operator is answered');
  return {
    url,
    metrics,
    serve: () => (phase = 'serving'),
    drain: () => (phase = 'draining'),
    close: async () => {
      await served.close();
      await pool.end();
    },
  };
}
