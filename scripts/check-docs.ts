/**
 * Do the commands of README.md and the guides work? Runs them in order on a fresh database, and once more after a
 * restart: the second time must work as the first.
 *
 *   npm run docs:check -- [page …]
 *
 * A mail server and name servers stand beside it, and what a page writes to RECIPIENT must arrive.
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
import { freePort } from '../src/main/free-ports.ts';
import { startDns } from '../tests/support/dns.ts';
import { startMail } from '../tests/support/mail.ts';
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

/** Pages that make organizations of their own do not disturb those of the demonstration, and wait beside them. */
const lanes = Map.groupBy(pages, (page) => readFileSync(join(root, page), 'utf8').includes('npx rostrum org'))
  .values()
  .toArray();

/** Pages that send something for real. */
const sending = new Set(['docs/guides/first-real-email.md']);

const folder = makeClone();
const [postgres, dns, mail] = await Promise.all([startOwnPostgres(fleeting), startDns(), startMail()]);
const failures: string[] = [];
try {
  const installation = {
    ...process.env,
    DATABASE_URL: Object.assign(new URL(postgres.url), { pathname: '/rostrum' }).href,
    PORT: String(await freePort()),
    SMTP_URL: mail.url,
    MAIL_RETURN_PATH_HOST: 'bounce.mail.test',
    DNS_SERVERS: dns.servers,
    NODE_COMPILE_CACHE: join(root, '.rostrum/compiled'),
  };
  for (const run of ['first', 'again']) {
    const RECIPIENT = `ok-${run}@mbox.test`;
    const reader = {
      DOMAIN: `${run}.acme.test`,
      ZONE: 'acme.test',
      RECIPIENT,
      NAMESERVER: dns.authoritative.replace(':', ' '),
      NSUPDATE: 'knsupdate',
    };
    const env = { ...installation, ...reader };
    const server = await startServer(folder, installation);
    const check = async (page: string): Promise<void> => {
      const start = performance.now();
      const found = await runPage({ page, folder, env, isFirst: run === 'first' });
      if (found.length === 0 && sending.has(page))
        await mail.messageTo(RECIPIENT).catch((error: Error) => found.push(`${page}: ${error.message}`));
      const took = ((performance.now() - start) / 1_000).toFixed(1);
      console.log(`${run}  ${took.padStart(5)} s  ${page}${found.length > 0 ? '  FAILED' : ''}`);
      failures.push(...found);
    };
    await Promise.all(
      lanes.map(async (lane) => {
        for (const page of lane) await check(page);
      }),
    );
    await stopServer(server);
  }
} finally {
  await Promise.all([dns.stop(), mail.stop(), postgres.kill('SIGQUIT').then(() => postgres.remove())]);
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) console.error(`\n${failure}`);
process.exitCode = failures.length === 0 ? 0 : 1;
