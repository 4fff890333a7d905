/**
 * Shows that tests can fail: makes each fault of tests/planted/faults.ts in a copy of the code and runs the test that
 * should notice it.
 *
 *   npm run test:planted [-- words of a name]
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { plantedFaults, type PlantedFault } from '../tests/planted/faults.ts';

const copied = [
  'src',
  'tests',
  'benches',
  'scripts',
  'web',
  'docs',
  'bin',
  'package.json',
  'vitest.config.ts',
];

const words = process.argv.slice(2).join(' ');
const root = mkdtempSync(join(tmpdir(), 'rostrum-planted-'));
try {
  for (const name of copied)
    cpSync(name, join(root, name), { recursive: true, filter: (path) => !path.includes('node_modules') });
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  const missed = plantedFaults
    .filter(({ name }) => name.includes(words))
    .filter((fault) => !isNoticed(fault));
  for (const { name, test } of missed) console.error(`not noticed by ${test}: ${name}`);
  if (missed.length > 0) process.exitCode = 1;
} finally {
  rmSync(root, { recursive: true, force: true });
}

function isNoticed({ name, file, from, to, test }: PlantedFault): boolean {
  const path = join(root, file);
  const sound = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    sound.replace(from, () => to),
  );
  const results = join(root, 'results.json');
  rmSync(results, { force: true });
  spawnSync('vitest', ['run', `--outputFile.json=${results}`, test], { cwd: root, stdio: 'ignore' });
  writeFileSync(path, sound);
  const failed = failedTests(results);
  console.log(`${failed.length > 0 ? 'noticed' : 'MISSED '}  ${name}\n         ${test}: ${failed[0] ?? ''}`);
  return failed.length > 0;
}

/** A run that came to no test shows nothing. */
function failedTests(results: string): string[] {
  const { testResults } = JSON.parse(readFileSync(results, 'utf8')) as {
    testResults: { assertionResults: { title: string; status: string }[] }[];
  };
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  return tests.filter(({ status }) => status === 'failed').map(({ title }) => title);
}
