import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { durable, findBinaries, startOwnPostgres, unprivileged } from '../../benches/support/own-postgres.ts';
import { portOf, type RestorePostgres } from './restore-postgres.ts';
import { openSwitchedPort } from './switched-port.ts';

const run = promisify(execFile);

/** Kept by a base backup and the log since then: a new server is brought to the moment that was kept. */
export async function startDrillPostgres(archiveSeconds: number): Promise<RestorePostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'rostrum-backup-'));
  const [base, log] = [join(folder, 'base'), join(folder, 'log')];
  await mkdir(log);
  for (const one of [folder, log]) await chmod(one, 0o777); // the server runs as another user
  const settings = {
    ...durable,
    archive_mode: 'on',
    archive_command: `cp %p ${log}/%f`,
    archive_timeout: String(archiveSeconds), // what is younger is lost
  };
  let server = await startOwnPostgres(settings);
  let moment = new Date();
  const servers = [server];
  const front = await openSwitchedPort(portOf(server));
  return {
    name: 'PostgreSQL',
    url: `postgres://postgres@127.0.0.1:${front.port}/postgres`,
    backUp: async () => {
      const args = ['-D', base, '-X', 'none', '--no-manifest', '-c', 'fast', '-d', server.url];
      await run(join(await findBinaries(), 'pg_basebackup'), args, {
        ...(await unprivileged()),
        cwd: folder,
      });
    },
    keep: () => {
      moment = new Date();
      return Promise.resolve();
    },
    loseAndRestore: async () => {
      front.switchTo(undefined);
      await server.kill();
      const recovery = {
        hot_standby: 'off', // it answers once it is there
        restore_command: `cp ${log}/%f %p`,
        recovery_target_time: moment.toISOString().replace('Z', '+00'), // it reads no Z so early
        recovery_target_action: 'promote',
      };
      server = await startOwnPostgres({ ...settings, ...recovery }, { backup: base });
      servers.push(server);
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
