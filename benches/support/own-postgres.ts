import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { chown, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { noteServer } from './about.ts';
import { endWithUs } from './end-with-us.ts';
import { freePort } from '../../src/main/free-ports.ts';

export interface OwnPostgres {
  readonly name: string;
  readonly url: string;
  readonly kill: (signal?: 'SIGKILL' | 'SIGQUIT') => Promise<void>;
  readonly start: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

const run = promisify(execFile);
const patienceMs = 60_000;

/** As in production, to be measured or killed: every commit is on disk, and autovacuum is on. */
export const durable = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', autovacuum: 'on' };

/** For tests, which do not outlive their server: nothing waits for the disk, and nothing is vacuumed in between. */
export const fleeting = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '4GB',
  shared_buffers: '512MB',
};

interface Beginning {
  /** It begins with the data of the server at this port, and follows it from then on. Otherwise with nothing. */
  readonly standbyOf?: number;
  /** It begins with this base backup, and recovers as its settings say. */
  readonly backup?: string;
  /** Where its folder is made. */
  readonly under?: string;
}

/** A PostgreSQL of one's own: a fresh folder and a free port. */
export async function startOwnPostgres(
  settings: Readonly<Record<string, string>> = durable,
  { standbyOf, backup, under = tmpdir() }: Beginning = {},
): Promise<OwnPostgres> {
  const binaries = await findBinaries();
  const folder = await mkdtemp(join(under, 'rostrum-postgres-'));
  const user = await unprivileged();
  if (user !== undefined) await chown(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const init = ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'];
  const copy = ['-D', data, '-U', 'postgres', '-h', '127.0.0.1', '-p', String(standbyOf), '-R', '-c', 'fast'];
  const as = { ...user, cwd: folder };
  if (backup !== undefined) {
    await run('cp', ['-a', backup, data], as);
    await run('touch', [join(data, 'recovery.signal')], as);
  } else if (standbyOf !== undefined) await run(join(binaries, 'pg_basebackup'), copy, as);
  else await run(join(binaries, 'initdb'), init, as);
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const own = { listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: 200 };
  const options = Object.entries({ port, ...own, ...settings }).flatMap(([k, v]) => ['-c', `${k}=${v}`]);
  let child: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    const until = performance.now() + patienceMs;
    while (performance.now() < until) {
      // What is left of a killed server may hold its memory for a moment; then the new one ends, and is tried again.
      const started = spawn(join(binaries, 'postgres'), ['-D', data, ...options], {
        ...user,
        cwd: folder,
        stdio: 'ignore',
      });
      child = started;
      endWithUs(started.pid ?? 0);
      while (started.exitCode === null && performance.now() < until) {
        if (await answers(url)) return;
        await pause(50);
      }
    }
    throw new Error('PostgreSQL did not come up');
  };
  const kill = async (signal: 'SIGKILL' | 'SIGQUIT' = 'SIGKILL'): Promise<void> => {
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child?.once('exit', resolve));
    const others = signal === 'SIGKILL' ? await childrenOf(child.pid) : [];
    child.kill(signal);
    for (const pid of others) killIfThere(pid);
    await gone;
  };
  await start();
  if (settings['fsync'] === 'on' && standbyOf === undefined && backup === undefined) await noteServer(url);
  return { name: 'PostgreSQL', url, start, kill, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** PostgreSQL refuses to run as root. */
export async function unprivileged(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const ask = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout);
  return { uid: await ask('-u'), gid: await ask('-g') };
}

/** Debian keeps the server's programs out of the path, one folder for each version. */
export async function findBinaries(): Promise<string> {
  const root = '/usr/lib/postgresql';
  const versions = await readdir(root).catch(() => []);
  const newest = versions.toSorted((a, b) => Number(b) - Number(a))[0];
  return newest === undefined ? '' : join(root, newest, 'bin');
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return list.split(' ').filter(Boolean).map(Number);
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it ended by itself
  }
}
