import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { commit, showAbout, type About } from '../benches/support/about.ts';
import type { Figure } from '../benches/support/figure.ts';

// Everything that is too long for the gate, one after another; what came of the last run stands in docs/nightly.md.
// `npm run nightly`, or only some parts of it: `npm run nightly -- bench:people faults:outbox`.

/** Minutes after which a part is ended: about twice what it takes. */
const limits: Readonly<Record<string, number>> = {
  'test:long': 30,
  'test:last-release': 30,
  'bench:people': 40,
  'bench:segments': 60,
  'bench:plan': 20,
  'bench:send': 60,
  'bench:webinars': 60,
  'bench:imports': 40,
  'bench:neighbours': 40,
  'bench:years': 80,
  'faults:outbox': 10,
  'faults:broadcast': 20,
  'faults:broadcast-cluster': 10,
  'faults:failover': 20,
  'faults:restore': 40,
  'faults:drill': 40,
  'faults:away': 40,
  'faults:pairs': 20,
  'faults:workflow': 20,
  'faults:import': 20,
};
const endMs = 20_000;
const file = 'docs/nightly.md';

type Size = 'small' | 'full';
type Outcome = 'held' | 'FAILED' | 'took too long';

interface Done {
  readonly part: string;
  readonly outcome: Outcome;
  readonly minutes: number;
  /** Lines that tell a seed and how to repeat it, or that there was nothing to do. */
  readonly seeds: readonly string[];
  readonly about: About | undefined;
  readonly figures: readonly Figure[];
}

const { values, positionals } = parseArgs({
  options: { size: { type: 'string', default: 'full' } },
  allowPositionals: true,
});
const size: Size = values.size === 'small' ? 'small' : 'full'; // small only tries the script itself
const unknown = positionals.filter((part) => !Object.hasOwn(limits, part));
if (unknown.length > 0) {
  process.stderr.write(`no such part: ${unknown.join(', ')}. There are ${Object.keys(limits).join(', ')}.\n`);
  process.exit(2);
}
const began = new Date();
const tree = commit(); // before the file below makes it another
const done: Done[] = [];
for (const part of positionals.length > 0 ? positionals : Object.keys(limits)) {
  process.stderr.write(`\n== ${part}\n`);
  done.push(await run(part, size));
  const { outcome, minutes } = done.at(-1)!;
  process.stderr.write(`-- ${part}: ${outcome}, ${minutes.toFixed(1)} minutes\n`);
  writeFileSync(file, page()); // whatever ends it early leaves what there is
  execFileSync('oxfmt', [file]);
}
process.stdout.write(`${table(done)}\n`);
process.exitCode = done.every(({ outcome }) => outcome === 'held') ? 0 : 1;

async function run(part: string, of: Size): Promise<Done> {
  const started = performance.now();
  const [command, args] = commandOf(part, of);
  // A group of its own, so that ending it ends whatever it started.
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const tellsFigures = !part.startsWith('test:');
  const lines: string[] = [];
  const seeds: string[] = [];
  const reading = [child.stdout, child.stderr].map(async (stream) => {
    for await (const line of createInterface({ input: stream })) {
      if (tellsFigures && stream === child.stdout) {
        lines.push(line);
        continue;
      }
      process.stderr.write(`${line}\n`);
      if (/\bseed\b|nothing to compare/i.test(line)) seeds.push(line.trim());
    }
  });
  let isLate = false;
  const end = (signal: 'SIGTERM' | 'SIGKILL'): void => {
    isLate = true;
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, signal);
  };
  const late = setTimeout(() => end('SIGTERM'), limits[part]! * 60_000);
  const tooLate = setTimeout(() => end('SIGKILL'), limits[part]! * 60_000 + endMs);
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  clearTimeout(late);
  clearTimeout(tooLate);
  await Promise.all(reading);
  const [about, ...figures] = lines.map((line) => JSON.parse(line) as About | Figure);
  return {
    part,
    outcome: isLate ? 'took too long' : code === 0 ? 'held' : 'FAILED',
    minutes: (performance.now() - started) / 60_000,
    seeds: [...new Set(seeds)],
    about: about as About | undefined,
    figures: figures as Figure[],
  };
}

function commandOf(part: string, of: Size): [string, string[]] {
  const [kind, name = ''] = part.split(':');
  if (kind === 'test') return ['npm', ['run', '--silent', part]];
  const script = kind === 'bench' ? 'benches/run.ts' : 'tests/faults/run.ts';
  return [process.execPath, [script, name, '--size', of, '--json']];
}

function page(): string {
  const total = done.reduce((sum, { minutes }) => sum + minutes, 0);
  return [
    '# The last nightly run\n',
    `Written by \`npm run nightly\`. Commit ${tree}, ${began.toISOString().slice(0, 16)} UTC, size ${size}, ${total.toFixed(0)} minutes.\n`,
    table(done),
    ...done.map(section),
  ].join('\n');
}

function table(parts: readonly Done[]): string {
  const rows = parts.map(({ part, outcome, minutes, seeds, figures }) => [
    part,
    outcome,
    minutes.toFixed(1),
    figures.filter(({ holds }) => !holds).length,
    seeds.join('<br>'),
  ]);
  return markdown([['part', 'outcome', 'minutes', 'missed', 'seed'], ...rows]);
}

function section({ part, about, figures }: Done): string {
  if (about === undefined) return '';
  const rows = figures.map(({ name, ours, bare, ratio, bar, holds }) => [
    name.trim(),
    ours,
    bare,
    ratio,
    bar === null ? '' : holds ? bar : `${bar}, missed`,
  ]);
  return `## ${part}\n\n${showAbout(about)}.\n\n${markdown([['figure', 'ours', 'beside', 'ratio', 'bar'], ...rows])}`;
}

function markdown(rows: readonly (readonly (string | number | null)[])[]): string {
  const [head, ...body] = rows.map((row) => `| ${row.map((cell) => cell ?? '').join(' | ')} |`);
  return [head, `| ${rows[0]!.map(() => '---').join(' | ')} |`, ...body, ''].join('\n');
}
