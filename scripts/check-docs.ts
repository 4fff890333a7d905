/**
 * Do the commands of README.md and the guides work? Runs them in order on a fresh database, and once more after a
 * restart: the second time must work as the first.
 *
 *   npm run docs:check -- [page …]
 *
 * Blocks marked `sh` are run, and compared with the plain block after them; `sh server` of the README starts the
 * service; `sh no-run: why` is left out.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fleeting, startOwnPostgres } from '../benches/support/own-postgres.ts';
import { freePort } from '../benches/support/server-process.ts';
import { readBlocks } from './docs/read-blocks.ts';
import { runPage } from './docs/run-page.ts';

const root = resolve(import.meta.dirname, '..');
const given = process.argv.slice(2);
const pages =
  given.length > 0 ? given : ['README.md', ...globSync('docs/guides/*.md', { cwd: root }).toSorted()];

/** A clone that nobody works in: everything is there, but for what a running service leaves in .rostrum. */
function makeClone(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rostrum-docs-'));
  for (const name of readdirSync(root)) {
    if (name !== '.rostrum' && name !== '.git') symlinkSync(join(root, name), join(folder, name));
  }
  mkdirSync(join(folder, '.rostrum'));
  return folder;
}

async function startServer(folder: string, env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const ready = join(folder, '.rostrum/dev.env');
  rmSync(ready, { force: true });
  const block = readBlocks(readFileSync(join(root, 'README.md'), 'utf8')).find(
    ({ info }) => info === 'sh server',
  );
  if (block === undefined) throw new Error('README.md has no block that starts the server.');
  const server = spawn('bash', ['-c', `exec ${block.commands}`], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (let attempt = 0; attempt < 1_200 && server.exitCode === null; attempt++) {
    if (existsSync(ready)) return server;
    await pause(100);
  }
  throw new Error(`The README's server did not start: ${block.commands}`);
}

async function stopServer(server: ChildProcess): Promise<void> {
  const gone = new Promise((end) => server.once('exit', end));
  server.kill('SIGTERM');
  await gone;
}

const folder = makeClone();
const postgres = await startOwnPostgres(fleeting);
const failures: string[] = [];
try {
  const database = Object.assign(new URL(postgres.url), { pathname: '/rostrum' }).href;
  const env = {
    ...process.env,
    DATABASE_URL: database,
    PORT: String(await freePort()),
    NODE_COMPILE_CACHE: join(root, '.rostrum/compiled'),
  };
  for (const isFirst of [true, false]) {
    const server = await startServer(folder, env);
    for (const page of pages) {
      const start = performance.now();
      const found = await runPage({ page, folder, env, isFirst });
      const took = ((performance.now() - start) / 1_000).toFixed(1);
      console.log(
        `${isFirst ? 'first' : 'again'}  ${took.padStart(5)} s  ${page}${found.length > 0 ? '  FAILED' : ''}`,
      );
      failures.push(...found);
    }
    await stopServer(server);
  }
} finally {
  await postgres.kill('SIGQUIT');
  await postgres.remove();
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) console.error(`\n${failure}`);
process.exitCode = failures.length === 0 ? 0 : 1;
