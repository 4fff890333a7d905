import { showAbout, type About } from './about.ts';

/** One measured thing beside what it is held against. */
export interface Figure {
  readonly name: string;
  readonly ours: number;
  /** The same on the bare engine in the same run, or the smaller size it is compared with. */
  readonly bare: number;
  readonly ratio: number;
  /** What the ratio must keep to; null when the figure is only told. */
  readonly bar: string | null;
  readonly holds: boolean;
}

export const atLeast = (name: string, ours: number, bare: number, bar: number): Figure => {
  const ratio = ours / bare;
  return { name, ours, bare, ratio, bar: `>= ${bar}`, holds: ratio >= bar };
};

export const atMost = (name: string, ours: number, bare: number, bar: number): Figure => {
  const ratio = ours / bare;
  return { name, ours, bare, ratio, bar: `<= ${bar}`, holds: ratio <= bar };
};

/** Told, not judged. */
export const told = (name: string, ours: number, bare = Number.NaN): Figure => ({
  name,
  ours,
  bare,
  ratio: ours / bare,
  bar: null,
  holds: true,
});

/** A value that must reach the bar; told where there is none. */
export const reaching = (name: string, value: number, bar: number | undefined): Figure =>
  bar === undefined ? told(name, value) : atLeast(name, value, bar, 1);

/** A value that may reach the bar and no more; told where there is none. */
export const within = (name: string, value: number, bar: number | undefined): Figure =>
  bar === undefined ? told(name, value) : atMost(name, value, bar, 1);

/** A count that must be exactly this. */
export const exactly = (name: string, ours: number, wanted: number): Figure => ({
  name,
  ours,
  bare: wanted,
  ratio: wanted === 0 ? ours : ours / wanted,
  bar: `= ${wanted}`,
  holds: ours === wanted,
});

/** What they were taken with comes first: as JSON, a line with `commit` and the rest before one for each figure. */
export function report(
  figures: readonly Figure[],
  about: About & { readonly seed: number },
  json: boolean,
): boolean {
  const lines = [about, ...figures.map(round)].map((line) => `${JSON.stringify(line)}\n`);
  process.stdout.write(json ? lines.join('') : `${showAbout(about)}, seed ${about.seed}\n${table(figures)}`);
  return figures.every((figure) => figure.holds);
}

const round = (figure: Figure): Record<string, unknown> => ({
  name: figure.name,
  ours: Number(figure.ours.toFixed(3)),
  bare: Number.isNaN(figure.bare) ? null : Number(figure.bare.toFixed(3)),
  ratio: Number.isNaN(figure.ratio) ? null : Number(figure.ratio.toFixed(3)),
  bar: figure.bar,
  holds: figure.holds,
});

function table(figures: readonly Figure[]): string {
  const rows = [
    ['figure', 'ours', 'bare', 'ratio', 'bar', ''],
    ...figures.map((figure) => [
      figure.name,
      show(figure.ours),
      show(figure.bare),
      Number.isNaN(figure.ratio) ? '' : figure.ratio.toFixed(2),
      figure.bar ?? '',
      figure.bar === null ? '' : figure.holds ? 'holds' : 'FAILS',
    ]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return `${rows.map((row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  ')).join('\n')}\n`;
}

const show = (value: number): string =>
  Number.isNaN(value)
    ? ''
    : value >= 100
      ? value.toFixed(0)
      : value >= 10
        ? value.toFixed(1)
        : value.toFixed(2);
