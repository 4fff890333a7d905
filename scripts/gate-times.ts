/**
 * Tells where the time of the last gate went: its steps, then its slowest test files.
 *
 *   npm run gate:times -- [--most 60]
 *
 * With --most, fails when a test file took longer than so many seconds: one slow file keeps a worker from the rest. In a
 * slow hour, when files take longer than five seconds in the mean, that much more is allowed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { FileTime } from './gate/file-times.ts';

const shown = 15;
const usualMeanMs = 5_000;

const { values } = parseArgs({ options: { most: { type: 'string' } } });

const row = (seconds: number, what: string): string => `${seconds.toFixed(1).padStart(8)} s  ${what}`;

const steps = readSteps('.rostrum/gate-times.tsv');
for (const { seconds, name, isBeside } of steps)
  console.log(row(seconds, isBeside ? `${name}, beside the tests` : name));
if (steps.length > 0) {
  const total = steps.reduce((sum, { seconds, isBeside }) => sum + (isBeside ? 0 : seconds), 0);
  console.log(`${row(total, 'all steps so far')}\n`);
}

const files = readFiles('.rostrum/file-times.json');
for (const { file, runMs } of files.slice(0, shown)) console.log(row(runMs / 1_000, file));
const sum = (pick: (file: FileTime) => number): number => files.reduce((all, file) => all + pick(file), 0);
const runMs = sum((file) => file.runMs);
console.log(row(runMs / 1_000, `tests of ${files.length} files, added up`));
console.log(row(sum(({ importMs }) => importMs) / 1_000, 'loading them, added up'));

const most = Number(values.most ?? Infinity) * Math.max(1, runMs / files.length / usualMeanMs);
const slow = files.filter((file) => file.runMs > most * 1_000);
for (const { file } of slow)
  console.error(`${file} took longer than ${Math.round(most)} s: split it, or arrange less.`);
if (slow.length > 0) process.exitCode = 1;

function readSteps(path: string): { name: string; seconds: number; isBeside: boolean }[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [seconds = '', name = '', beside] = line.split('\t');
    return { name, seconds: Number(seconds), isBeside: beside !== undefined };
  });
}

function readFiles(path: string): FileTime[] {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as FileTime[]) : [];
}
