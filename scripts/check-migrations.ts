// May every migration run while the service serves? squawk judges the SQL, and this what squawk cannot know: the form of
// indexes and backfills (ADR 70), and that a column goes only when the last release does without it.
// `npm run migrations`, or of another folder: `npm run migrations -- folder`.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isBackfill, readBackfill } from '../src/database/migrate-backfill.ts';
import { isIndex, readIndex } from '../src/database/migrate-index.ts';
import { lastRelease } from './releases/last-release.ts';

const root = resolve(import.meta.dirname, '..');
const folder = process.argv[2] ?? 'src/database/migrations';
const files = globSync(`${folder}/*.sql`, { cwd: root }).toSorted();
const problems: string[] = [];

const indexes = files.filter(isIndex);
const backfills = files.filter(isBackfill);
const others = files.filter((file) => !indexes.includes(file) && !backfills.includes(file));
squawk(others);
// The runner waits as long as it takes, which keeps nobody from writing, and drops what a crash left.
squawk(
  indexes,
  '--no-assume-in-transaction',
  '--exclude=prefer-robust-stmts,require-lock-timeout,require-statement-timeout',
);
for (const file of [...indexes, ...backfills]) {
  try {
    (isIndex(file) ? readIndex : readBackfill)(textOf(file));
  } catch (error) {
    problems.push(`${file}: ${(error as Error).message}`);
  }
}
for (const file of others) {
  const sql = textOf(file);
  for (const [, column = ''] of sql.matchAll(/drop column (?:if exists )?(\w+)/gi)) {
    const user = lastUser(column);
    if (user !== undefined)
      problems.push(
        `${file}: ${user} still uses ${column}: drop it in the release after the one that stops.`,
      );
  }
}
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;

function squawk(paths: readonly string[], ...flags: string[]): void {
  if (paths.length === 0) return;
  const { status } = spawnSync('node_modules/.bin/squawk', [...flags, ...paths], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) problems.push('squawk found what is not safe while the service serves.');
}

/** The last release, if its code names the column; before the first one, the code that is here. */
function lastUser(column: string): string | undefined {
  const release = lastRelease(root);
  const where = ['--', 'src/*.ts', ':!src/database/tables.generated.ts'];
  const args = ['grep', '-qw', column, ...(release === undefined ? [] : [release]), ...where];
  const { status } = spawnSync('git', args, { cwd: root });
  return status === 0 ? (release ?? 'the service') : undefined;
}

function textOf(file: string): string {
  return readFileSync(resolve(root, file), 'utf8');
}
