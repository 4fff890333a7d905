// Are the table types what the migrations make? Migrates a scratch database, generates the types from it and
// compares them with src/database/tables.generated.ts; with --write, updates that file instead.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';

const root = resolve(import.meta.dirname, '..');
const committed = join(root, 'src/database/tables.generated.ts');
const server = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';

// prettier-ignore
const codegenFlags = [
  '--dialect', 'postgres',
  '--include-pattern', 'public.*',
  '--exclude-pattern', 'public.schema_migrations',
  '--type-mapping', JSON.stringify({ int8: 'number' }), // as src/database/pool.ts parses it
];

const scratchName = `rostrum_tables_${randomBytes(6).toString('hex')}`;
const scratch = new URL(server);
scratch.pathname = `/${scratchName}`;

async function onServer(sql: string) {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function runNode(...args: string[]) {
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    env: { ...process.env, DATABASE_URL: scratch.href },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`node ${args[0]} failed`);
}

function generate(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rostrum-tables-'));
  const file = join(folder, 'tables.ts');
  try {
    runNode('node_modules/.bin/kysely-codegen', ...codegenFlags, '--out-file', file);
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await onServer(`create database ${scratchName}`);
try {
  runNode('src/main/cli.ts', 'migrate');
  const generated = generate();
  if (process.argv.includes('--write')) {
    writeFileSync(committed, generated);
    console.log('Wrote src/database/tables.generated.ts.');
  } else if (generated === readFileSync(committed, 'utf8')) {
    console.log('The table types are what the migrations make.');
  } else {
    console.error('The table types are not what the migrations make: run `npm run tables -- --write`.');
    process.exitCode = 1;
  }
} finally {
  await onServer(`drop database ${scratchName} with (force)`);
}
