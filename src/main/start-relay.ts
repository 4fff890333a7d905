import type { Logger } from 'pino';
import { restateEngine } from '../durable/engine.ts';
import { runForgetting } from '../durable/forget-histories.ts';
import { runGuard } from '../durable/guard-sending.ts';
import { runJudging } from '../durable/judge-loop.ts';
import { runRelay } from '../durable/relay.ts';
import { runSweeps } from '../durable/sweep.ts';
import { runTidying, type KeepMonths } from '../durable/tidy.ts';
import { systemClock } from '../kernel/clock.ts';
import type { Config } from './config.ts';
import { keyring } from './keys.ts';
import { mailSettings } from './mail-settings.ts';
import { connect, type Running, type Watching } from './running.ts';

/** The outbox relay with its sweeps, and the judging of opens and clicks. */
export function startRelay(config: Config, log: Logger, watching: Watching = {}): Running {
  const { pool, database } = connect(config, log, watching);
  const engine = restateEngine(config.RESTATE_INGRESS_URL, watching.tracer);
  const parts = { keys: keyring(config), mail: mailSettings(config) };
  const stop = new AbortController();
  const trouble = (error: unknown) => log.warn({ err: (error as Error).message }, 'the relay met trouble');
  const running = Promise.all([
    runRelay(database, engine, stop.signal, trouble),
    runSweeps(database, engine, systemClock, stop.signal, trouble),
    runJudging(database, parts, systemClock, stop.signal, trouble),
    runTidying(database, systemClock, stop.signal, {
      keep: keepMonths(config),
      detach: config.RETENTION === 'detach',
      onExpired: (month) => log.info({ month, retention: config.RETENTION }, 'a month is past what is kept'),
      onTrouble: trouble,
    }),
    runForgetting(database, systemClock, stop.signal, {
      keep: {
        ...keepMonths(config),
        workflow_runs: config.KEEP_RUNS_MONTHS,
        import_failures: config.KEEP_IMPORT_FAILURES_MONTHS,
      },
      atLeast: config.KEEP_AT_LEAST_MONTHS,
      onForgotten: (fields) => log.info(fields, 'an organization forgot what is past what it keeps'),
      onTrouble: trouble,
    }),
    runGuard(database, systemClock, stop.signal, {
      bounds: {
        bounces: config.SUSPEND_ABOVE_BOUNCES,
        complaints: config.SUSPEND_ABOVE_COMPLAINTS,
        fromMessages: config.SUSPEND_FROM_MESSAGES,
      },
      onStopped: (fields) => log.warn(fields, 'an organization was suspended by its bounces or complaints'),
      onTrouble: trouble,
    }),
  ]);
  log.info('the relay runs');
  return {
    close: async () => {
      stop.abort();
      await running;
      await pool.end();
    },
  };
}

const keepMonths = (config: Config): KeepMonths => ({
  tracking_hits: config.KEEP_TRACKING_HITS_MONTHS,
  events: config.KEEP_EVENTS_MONTHS,
  deliveries: config.KEEP_DELIVERIES_MONTHS,
  audit_log: config.KEEP_AUDIT_MONTHS,
});
