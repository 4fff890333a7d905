import { isAboveTenants } from '../database/ready.ts';
import { UsageError } from './arguments.ts';
import { ConfigError, readConfig } from './config.ts';
import { exportSpans } from './export-spans.ts';
import { createLog } from './log.ts';
import { startOperator, type ServedPart } from './operator.ts';
import type { Running } from './running.ts';
import { settle } from './settle.ts';
import { untilStopped } from './until-stopped.ts';
import { withDatabase } from './with-database.ts';

/** A process loads only the parts that it serves. */
const parts = {
  handlers: async () => (await import('./start-handlers.ts')).startHandlers,
  relay: async () => (await import('./start-relay.ts')).startRelay,
  mailbox: async () => (await import('./start-mailbox.ts')).startMailbox,
  api: async () => (await import('./start-api.ts')).startApi,
};

/** rostrum serve: runs one part of the service, or all, until a signal stops it. */
export async function serve([part = 'all']: string[]): Promise<void> {
  const chosen = Object.entries(parts).filter(([name]) => part === 'all' || part === name);
  if (chosen.length === 0) throw new UsageError('Say: rostrum serve api, handlers, relay, mailbox or all.');
  const config = readConfig(process.env);
  if (!config.DATABASE_ALLOW_SUPERUSER) await refuseLoginAboveTenants();
  const log = createLog(config.LOG_LEVEL, `rostrum ${part}`);
  const operator = await startOperator(config, part as ServedPart, log);
  const spans = exportSpans(config, part, log);
  const watching = { ...operator.metrics, tracer: spans.tracer };
  const running: Running[] = [];
  try {
    await startTogether(
      chosen.map(([, load]) => async () => {
        const start = await load();
        running.push(await start(config, log, watching));
      }),
    );
    settle();
    operator.serve();
    await untilStopped();
  } finally {
    log.info('draining');
    operator.drain();
    for (const one of running.toReversed()) await one.close();
    await spans.close();
    await operator.close();
  }
}

/** Side by side: while one loads its code, another waits for the engine. All have started or failed when this ends. */
async function startTogether(starts: readonly (() => Promise<void>)[]): Promise<void> {
  const outcomes = await Promise.allSettled(starts.map((start) => start()));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

/** If the database does not answer yet, the parts wait for it as they always do. */
async function refuseLoginAboveTenants(): Promise<void> {
  if (!(await withDatabase(isAboveTenants).catch(() => false))) return;
  throw new ConfigError(
    'The login of DATABASE_URL is superuser or bypasses row level security, which keeps organizations apart. Serve ' +
      'with one that is only a member of rostrum_app, rostrum_relay and rostrum_auth; docs/guides/operating.md says how ' +
      'to make it. ' +
      'DATABASE_ALLOW_SUPERUSER=true serves all the same.',
  );
}
