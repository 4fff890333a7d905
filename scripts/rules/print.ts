/** Lays the tallies out for a terminal, or as one JSON line per area. */
import type { AreaTally } from './tally.ts';

const COLUMNS = ['rules', 'proven', 'failing', 'waiting', 'missing'];

export function asTable(tallies: AreaTally[]): string {
  const rows = tallies.map((entry) => row(entry.area, counts(entry), entry.title));
  const sums = COLUMNS.map((_, column) =>
    tallies.reduce((sum, entry) => sum + (counts(entry)[column] ?? 0), 0),
  );
  const parts = [
    [row('area', COLUMNS), ...rows, row('all', sums)],
    section(
      'Failing',
      tallies.map((entry) => idLine(entry.area, entry.failing)),
    ),
    section('Waiting', tallies.flatMap(waitingLines)),
    section(
      'Missing',
      tallies.map((entry) => idLine(entry.area, entry.missing)),
    ),
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

export function asJsonLines(tallies: AreaTally[]): string {
  return tallies.map((entry) => JSON.stringify({ ...entry, proven: entry.proven.length })).join('\n');
}

/** Ids of one area without their prefix, runs closed up: 001-004, 007. */
function compact(ids: string[]): string {
  const runs: { first: string; last: string }[] = [];
  for (const id of ids) {
    const number = id.slice(4);
    const run = runs.at(-1);
    if (run !== undefined && Number(run.last) + 1 === Number(number)) run.last = number;
    else runs.push({ first: number, last: number });
  }
  return runs.map(({ first, last }) => (first === last ? first : `${first}-${last}`)).join(', ');
}

const counts = (entry: AreaTally): number[] => [
  entry.rules,
  entry.proven.length,
  entry.failing.length,
  entry.waiting.length,
  entry.missing.length,
];

const row = (area: string, cells: (string | number)[], title = ''): string =>
  `${area.padEnd(4)}${cells.map((cell) => String(cell).padStart(9)).join('')}  ${title}`.trimEnd();

function section(title: string, lines: string[]): string[] {
  const filled = lines.filter((line) => line !== '');
  return filled.length === 0 ? [] : [title, ...filled];
}

const idLine = (area: string, ids: string[]): string => (ids.length === 0 ? '' : `  ${area} ${compact(ids)}`);

function waitingLines(entry: AreaTally): string[] {
  const byReason = Map.groupBy(entry.waiting, ({ reason }) => reason);
  return [...byReason].map(
    ([reason, rules]) =>
      `${idLine(
        entry.area,
        rules.map(({ id }) => id),
      )} for ${reason}`,
  );
}
