import { noteServer } from './about.ts';
import { startOwnPostgres, type OwnPostgres } from './own-postgres.ts';

let own: Promise<OwnPostgres> | undefined;
let given: Promise<string> | undefined;

/**
 * The PostgreSQL that is measured: one of the run's own, or the one BENCH_DATABASE_URL names, where a full size finds
 * the people it seeded the last time.
 */
export async function benchServer(): Promise<string> {
  const named = process.env['BENCH_DATABASE_URL'];
  if (named !== undefined) return (given ??= noteServer(named).then(() => named));
  own ??= startOwnPostgres();
  return (await own).url;
}

export async function stopBenchServer(): Promise<void> {
  const server = await own?.catch(() => undefined);
  await server?.kill('SIGQUIT');
  await server?.remove();
}
