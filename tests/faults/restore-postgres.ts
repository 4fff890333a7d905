import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findBinaries, startOwnPostgres, type OwnPostgres } from '../../benches/support/own-postgres.ts';
import { openSwitchedPort } from './switched-port.ts';

export interface RestorePostgres extends OwnPostgres {
  /** What must be done ahead, before anything happens. */
  readonly backUp?: () => Promise<void>;
  /** Keeps what there is at this moment. */
  readonly keep: () => Promise<void>;
  /** Kills the server for good. A new one, behind the same address, gets what was kept. */
  readonly loseAndRestore: () => Promise<void>;
}

const run = promisify(execFile);

/** A server behind an address that stays when the server does not; kept by a dump. */
export async function startRestorePostgres(): Promise<RestorePostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'rostrum-dump-'));
  const [roles, rows] = [join(folder, 'roles.sql'), join(folder, 'rows.dump')];
  let server = await startOwnPostgres();
  const servers = [server];
  const front = await openSwitchedPort(portOf(server));
  const ask = async (program: string, ...args: string[]): Promise<void> =>
    void (await run(join(await findBinaries(), program), [...args, '-d', server.url]));
  return {
    name: 'PostgreSQL',
    url: `postgres://postgres@127.0.0.1:${front.port}/postgres`,
    keep: async () => {
      await ask('pg_dumpall', '--roles-only', '-f', roles);
      await ask('pg_dump', '-Fc', '-f', rows);
    },
    loseAndRestore: async () => {
      front.switchTo(undefined);
      await server.kill();
      server = await startOwnPostgres();
      servers.push(server);
      await ask('psql', '-q', '-f', roles); // `postgres` is there, which psql tells and goes on
      await ask('pg_restore', '--exit-on-error', rows);
      front.switchTo(portOf(server));
    },
    start: () => server.start(),
    kill: (signal) => server.kill(signal),
    remove: async () => {
      await front.close();
      for (const one of servers) await one.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export const portOf = ({ url }: OwnPostgres): number => Number(new URL(url).port);
