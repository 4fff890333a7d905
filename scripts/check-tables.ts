// Are the table types and the written schema what the migrations make? Migrates a scratch database, writes both from it
// and compares them with src/database/tables.generated.ts and schema.sql; with --write, updates those files instead.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { writeSchema } from './schema/write-schema.ts';

const root = resolve(import.meta.dirname, '..');
const server = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';

// prettier-ignore
const codegenFlags = [
  '--dialect', 'postgres',
  '--include-pattern', '{public,auth}.*',
  '--exclude-pattern', 'public.schema_migrations',
  '--type-mapping', JSON.stringify({ int8: 'number' }), // as src/database/pool.ts parses it
];

const scratchName = `rostrum_tables_${randomBytes(6).toString('hex')}`;
const scratch = new URL(server);
scratch.pathname = `/${scratchName}`;

async function connected<Result>(url: string, act: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await act(client);
  } finally {
    await client.end();
  }
}

const onServer = (sql: string) => connected(server, (client) => client.query(sql));

function runNode(...args: string[]) {
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    env: { ...process.env, DATABASE_URL: scratch.href },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`node ${args[0]} failed`);
}

function writeTypes(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rostrum-tables-'));
  const file = join(folder, 'tables.ts');
  try {
    runNode('node_modules/.bin/kysely-codegen', ...codegenFlags, '--out-file', file);
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compare(name: string, written: string): void {
  const file = join(root, 'src/database', name);
  if (process.argv.includes('--write')) {
    writeFileSync(file, written);
    console.log(`Wrote src/database/${name}.`);
  } else if (existsSync(file) && written === readFileSync(file, 'utf8')) {
    console.log(`${name} is what the migrations make.`);
  } else {
    console.error(`${name} is not what the migrations make: run \`npm run tables -- --write\`.`);
    process.exitCode = 1;
  }
}

await onServer(`create database ${scratchName}`);
try {
  runNode('src/main/cli.ts', 'migrate');
  compare('tables.generated.ts', writeTypes());
  compare('schema.sql', await connected(scratch.href, writeSchema));
} finally {
  await onServer(`drop database ${scratchName} with (force)`);
}
