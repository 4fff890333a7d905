import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { commit, showAbout, type About } from '../benches/support/about.ts';
import type { Figure } from '../benches/support/figure.ts';

// Everything that is too long for the gate, one after another; what came of each part's last run stands in docs/nightly.md.
// `npm run nightly`, or only some parts of it: `npm run nightly -- bench:people faults:outbox`.

/** Minutes after which a part is ended: about twice what it takes. */
const limits: Readonly<Record<string, number>> = {
  'test:long': 90,
  'test:last-release': 30,
  'test:planted': 20,
  'bench:people': 40,
  'bench:segments': 60,
  'bench:plan': 20,
  'bench:send': 60,
  'bench:webinars': 60,
  'bench:imports': 40,
  'bench:neighbours': 40,
  'bench:years': 80,
  'bench:footprint': 10,
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
  'faults:hold': 20,
};
const endMs = 20_000;
const tellsSeed = /again: |to repeat |seed: \d+, path|nothing to compare/i;
const file = 'docs/nightly.md';
/** The last run of each part, so that parts can be run on different nights. */
const runsFile = 'docs/nightly.json';

type Size = 'small' | 'full';
type Outcome = 'held' | 'FAILED' | 'took too long';

interface Done {
  readonly part: string;
  readonly commit: string;
  readonly began: string;
  readonly outcome: Outcome;
  readonly minutes: number;
  /** Lines that tell a seed and how to repeat it, or that there was nothing to do. */
  readonly seeds: readonly string[];
  readonly about?: About;
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
const tree = commit(); // before the files below make it another
const last = new Map<string, Done>(
  existsSync(runsFile)
    ? (JSON.parse(readFileSync(runsFile, 'utf8')) as Done[]).map((run) => [run.part, run])
    : [],
);
const done: Done[] = [];
for (const part of positionals.length > 0 ? positionals : Object.keys(limits)) {
  process.stderr.write(`\n== ${part}\n`);
  const ended = await run(part, size);
  done.push(ended);
  process.stderr.write(`-- ${part}: ${ended.outcome}, ${ended.minutes.toFixed(1)} minutes\n`);
  if (size === 'full') keep(ended); // at once: whatever ends it early leaves what there is
}
process.stdout.write(`${table(done)}\n`);
process.exitCode = done.every(({ outcome }) => outcome === 'held') ? 0 : 1;

function keep(ended: Done): void {
  last.set(ended.part, ended);
  const runs = Object.keys(limits).flatMap((part) => last.get(part) ?? []);
  writeFileSync(runsFile, JSON.stringify(runs));
  writeFileSync(file, page(runs));
  execFileSync('oxfmt', [runsFile, file]);
}

async function run(part: string, of: Size): Promise<Done> {
  const began = new Date().toISOString().slice(0, 16);
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
      if (tellsSeed.test(line)) seeds.push(stripVTControlCharacters(line).trim());
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
    commit: tree,
    began,
    outcome: isLate ? 'took too long' : code === 0 ? 'held' : 'FAILED',
    minutes: (performance.now() - started) / 60_000,
    seeds: [...new Set(seeds)],
    ...(about === undefined ? {} : { about: about as About }),
    figures: figures as Figure[],
  };
}

function commandOf(part: string, of: Size): [string, string[]] {
  const [kind, name = ''] = part.split(':');
  if (kind === 'test') return ['npm', ['run', '--silent', part]];
  const script = kind === 'bench' ? 'benches/run.ts' : 'tests/faults/run.ts';
  return [process.execPath, [script, name, '--size', of, '--json']];
}

function page(runs: readonly Done[]): string {
  const missing = Object.keys(limits).filter((part) => !last.has(part));
  return [
    '# What the nightly runs found\n',
    'Written by `npm run nightly`: the last run of each part at its full size.\n',
    ...(missing.length > 0 ? [`Not run yet: ${missing.join(', ')}.\n`] : []),
    table(runs),
    ...runs.map(section),
  ].join('\n');
}

function table(runs: readonly Done[]): string {
  const rows = runs.map(({ part, commit: of, began, outcome, minutes, seeds, figures }) => [
    part,
    outcome,
    figures.filter(({ holds }) => !holds).length,
    minutes.toFixed(1),
    `${of}, ${began}`,
    seeds.join('<br>'),
  ]);
  return markdown([['part', 'outcome', 'missed', 'minutes', 'commit', 'seed'], ...rows]);
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
