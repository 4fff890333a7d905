import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import { openJournal } from '../../src/durable/journal.ts';
import { systemClock } from '../../src/kernel/clock.ts';

const claim = 'f81d4fae-7dec-41d0-a765-00a0c91e6bf6';
const another = 'f81d4fae-7dec-41d0-a765-00a0c91e6bf7';
const onTrouble = (error: Error): void => {
  throw error;
};
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'rostrum-journal-'));

async function open(folder: string, clock = systemClock) {
  const journal = await openJournal({ folder, clock, onTrouble });
  closing.push(() => journal.close());
  return journal;
}

/** A process that notes three messages and then does nothing. */
async function startNoting(folder: string): Promise<{ child: ChildProcess; process: string }> {
  const script = `
    const { openJournal } = await import(${JSON.stringify(join(import.meta.dirname, '../../src/durable/journal.ts'))});
    const journal = await openJournal({ folder: ${JSON.stringify(folder)}, clock: { now: () => new Date() }, onTrouble: console.error });
    journal.note('${claim}', 2 ** 45 + 1, 'handed_over');
    journal.note('${another}', 2, 'handed_over');
    journal.note('${claim}', 3, 'handed_over');
    journal.note('${claim}', 3, 'taken');
    console.log(journal.process);
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  closing.push(() => child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stdout })) return { child, process: line };
  throw new Error('the process ended');
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

test('what a killed process noted is known, and nothing while it lives, not even when it is stopped', async () => {
  const folder = newFolder();
  const ours = await open(folder);
  const { child, process: theirs } = await startNoting(folder);
  expect(await ours.read(theirs, claim)).toBeUndefined();
  child.kill('SIGSTOP');
  expect(await ours.read(theirs, claim)).toBeUndefined();
  await kill(child);
  expect(await ours.read(theirs, claim)).toEqual(
    new Map([
      [2 ** 45 + 1, 'handed_over'],
      [3, 'taken'],
    ]),
  );
  expect(await ours.read(theirs, '00000000-0000-4000-8000-000000000000')).toEqual(new Map());
});

test('nothing is known of a process from before this start of the machine, or from elsewhere', async () => {
  const folder = newFolder();
  const ours = await open(folder);
  const { child, process: theirs } = await startNoting(folder);
  await kill(child);
  const file = join(folder, `${theirs}.1`);
  const content = readFileSync(file);
  content[0]! ^= 1;
  writeFileSync(file, content);
  expect(await ours.read(theirs, claim)).toBeUndefined();
  expect(await ours.read(another, claim)).toBeUndefined();
});

test('of our own claims we know all, but not while we are at work on them', async () => {
  const ours = await open(newFolder());
  const done = ours.open(claim);
  ours.note(claim, 1, 'handed_over');
  expect(await ours.read(ours.process, claim)).toBeUndefined();
  done();
  expect(await ours.read(ours.process, claim)).toEqual(new Map([[1, 'handed_over']]));
});

test('files of dead processes go after eight days, and those of the living stay', async () => {
  const folder = newFolder();
  const ours = await open(folder);
  const { child, process: theirs } = await startNoting(folder);
  await kill(child);
  const long = new Date(systemClock.now().getTime() - 9 * 86_400_000);
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), long, long);
  const newer = await open(folder);
  const names = () => [...new Set(readdirSync(folder).map((name) => name.slice(0, 36)))].toSorted();
  await expect.poll(names).toEqual([ours.process, newer.process].toSorted());
  expect(await newer.read(theirs, claim)).toBeUndefined();
});
