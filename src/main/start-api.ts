import type { Logger } from 'pino';
import type { Metrics } from '../faces/operator/metrics.ts';
import { systemClock } from '../kernel/clock.ts';
import { announceSetup } from './announce-setup.ts';
import { buildApi } from './build-api.ts';
import type { Config } from './config.ts';
import { connect, type Running, type Watching } from './running.ts';

export async function startApi(
  config: Config,
  log: Logger,
  { observe, shed, ...watching }: Pick<Metrics, 'observe' | 'shed'> & Watching,
  printMail?: (text: string) => void,
): Promise<Running & { url: string }> {
  const { pool, database } = connect(config, log, watching);
  const app = await buildApi({
    config,
    database,
    clock: systemClock,
    log,
    observe,
    onShed: shed,
    tracer: watching.tracer,
    printMail,
  });
  const url = await app.listen({ host: config.HOST, port: config.PORT });
  log.info({ url }, 'the API listens');
  // `dev`, which prints mail too, makes an account itself.
  if (printMail === undefined) await announceSetup(config, database, log);
  return {
    url,
    close: async () => {
      await app.close();
      await pool.end();
    },
  };
}
