// The tests that try many things, in full and by a new seed. With SEED and the names of files: those, by that seed.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const results = '.rostrum/long-test-results.json';
const longest = 1_800_000; // ms for one test

const seed = process.env['SEED'] ?? String(randomInt(2 ** 31));
const repeat = (files: string): string => `SEED=${seed} npm run test:long -- ${files}`;
const named = process.argv.slice(2);
const files =
  named.length > 0
    ? named
    : globSync('tests/**/*.test.ts')
        .filter((file) => hasVolume(file))
        .toSorted();
console.log(`${files.length} files in full, seed ${seed}. To repeat one: ${repeat('tests/….test.ts')}`);

rmSync(results, { force: true });
const { status } = spawnSync(
  'vitest',
  ['run', `--testTimeout=${longest}`, `--hookTimeout=${longest}`, `--outputFile.json=${results}`, ...files],
  { stdio: 'inherit', env: { ...process.env, LONG: '1', SEED: seed } },
);
if (status !== 0) for (const file of failedFiles()) console.log(`To repeat it: ${repeat(file)}`);
process.exitCode = status ?? 1;

/** It, or what it imports of the tests, asks how much to try. */
function hasVolume(file: string, seen = new Set<string>()): boolean {
  if (file.endsWith('tests/support/volume.ts')) return true;
  if (seen.has(file) || !file.startsWith('tests/') || !existsSync(file)) return false;
  seen.add(file);
  const imported = readFileSync(file, 'utf8').matchAll(/^(?:import|\}).* from '(\.[^']+\.ts)';$/gm);
  return imported.some(([, path]) => hasVolume(join(dirname(file), path!), seen));
}

/** All that were to run, if it did not come to a report. */
function failedFiles(): string[] {
  if (!existsSync(results)) return files;
  const { testResults } = JSON.parse(readFileSync(results, 'utf8')) as {
    testResults: { name: string; status: string }[];
  };
  return testResults.filter(({ status: ended }) => ended !== 'passed').map(({ name }) => relative('.', name));
}
