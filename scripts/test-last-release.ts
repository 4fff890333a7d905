// The last release's tests of the wire, with its code, over the schema that the migrations here make: while a release
// rolls out, the one before it serves beside the new schema (ADR 71). Of another commit: `-- --ref COMMIT`; only some
// files: `-- tests/faces/versioning.test.ts`; with other migrations: `-- --migrations folder`.
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { fleeting, startOwnPostgres } from '../benches/support/own-postgres.ts';
import { runMigrations } from '../src/database/run-migrations.ts';
import { lastRelease } from './releases/last-release.ts';

const root = resolve(import.meta.dirname, '..');
const template = 'rostrum_last_template';

const { values, positionals } = parseArgs({
  options: { ref: { type: 'string' }, migrations: { type: 'string' } },
  allowPositionals: true,
});
const ref = values.ref ?? lastRelease(root);
if (ref === undefined)
  console.log('There is no release yet: nothing to compare with. `--ref` takes any commit.');
else process.exitCode = await compareWith(ref);

/** Answers with what vitest ended with. */
async function compareWith(release: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'rostrum-last-release-'));
  const server = await startOwnPostgres(fleeting);
  try {
    checkOut(release, folder);
    await migrate(server.url);
    const files = positionals.length > 0 ? positionals : testsOfTheWire(folder);
    if (files.length === 0) throw new Error(`${release} has no tests of the wire`);
    console.log(`${files.length} test files of ${release} over the schema from here`);
    const { status } = spawnSync(join(root, 'node_modules/.bin/vitest'), ['run', ...files], {
      cwd: folder,
      env: { ...process.env, DATABASE_URL: server.url, TEMPLATE_DATABASE: template },
      stdio: 'inherit',
    });
    return status ?? 1;
  } finally {
    await server.kill('SIGQUIT');
    await server.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

function checkOut(release: string, folder: string): void {
  const packed = join(folder, 'release.tar');
  execFileSync('git', ['archive', '-o', packed, release], { cwd: root });
  execFileSync('tar', ['-xf', packed, '-C', folder]);
  const lockOf = (of: string): string => readFileSync(join(of, 'package-lock.json'), 'utf8');
  if (lockOf(folder) === lockOf(root)) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  else
    execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: folder,
      stdio: 'inherit',
    });
}

async function migrate(serverUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`create database ${template}`);
  await client.end();
  await runMigrations(
    Object.assign(new URL(serverUrl), { pathname: `/${template}` }).href,
    values.migrations,
  );
}

/** Those of the faces, and all that call them; not those that ask PostgreSQL what its schema is. */
function testsOfTheWire(folder: string): string[] {
  return globSync('tests/**/*.test.ts', { cwd: folder })
    .filter((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      const calls = file.startsWith('tests/faces/') || /\.(rest|tool|rpc)\(/.test(text);
      const asksSchema =
        file.startsWith('tests/queries/') || /information_schema|\bpg_[a-z_]*class\b/.test(text);
      return calls && !asksSchema;
    })
    .toSorted();
}
