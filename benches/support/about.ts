import { execFileSync } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';
import pg from 'pg';

/** What a figure was taken with: without it, it is none. */
export interface About {
  /** The commit, and `-dirty` if the tree differs from it. */
  readonly commit: string;
  readonly at: string;
  readonly node: string;
  readonly cores: number;
  /** Of the machine over the last minute, when the figures were told. */
  readonly load: number;
  readonly postgres: string;
  readonly settings: Readonly<Record<(typeof told)[number], string>>;
}

const told = ['autovacuum', 'fsync', 'synchronous_commit', 'full_page_writes', 'shared_buffers'] as const;
const mustBeOn = ['autovacuum', 'fsync', 'full_page_writes'] as const;

let server: Pick<About, 'postgres' | 'settings'> | undefined;

/** Asks the server that is measured how it is set up, and refuses one that would flatter the figures. */
export async function noteServer(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string; setting: string }>(
    'select name, current_setting(name) as setting from pg_settings where name = any($1)',
    [[...told, 'server_version']],
  );
  await client.end();
  const set = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  const off = mustBeOn.filter((name) => set[name] !== 'on');
  if (off.length > 0) throw new Error(`figures are not taken with ${off.join(' and ')} off`);
  const settings = Object.fromEntries(told.map((name) => [name, set[name] ?? ''])) as About['settings'];
  server = { postgres: set['server_version'] ?? '', settings };
}

export function about(): About {
  if (server === undefined) throw new Error('nothing was measured');
  return {
    commit: commit(),
    at: new Date().toISOString(),
    node: process.version,
    cores: availableParallelism(),
    load: loadavg()[0] ?? 0,
    ...server,
  };
}

export const showAbout = ({ commit: of, at, node, cores, load, postgres, settings }: About): string =>
  `commit ${of}, ${at}, Node ${node}, ${cores} cores, load ${load.toFixed(1)}, PostgreSQL ${postgres} with ${told
    .map((name) => `${name} ${settings[name]}`)
    .join(', ')}`;

export function commit(): string {
  const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();
  const isDirty = git('status', '--porcelain') !== '';
  return git('rev-parse', '--short=10', 'HEAD') + (isDirty ? '-dirty' : '');
}
