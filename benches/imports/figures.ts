import { atLeast, atMost, told, type Figure } from '../support/figure.ts';
import { timesOf } from '../support/in-turns.ts';
import type { Taken } from './ours.ts';

/** What one round of a size gave: our steps, and what the bare SQL took. */
export interface Round extends Taken {
  readonly bare: number;
}

const middle = (rounds: readonly Round[], of: keyof Round): number =>
  timesOf(rounds.map((one) => one[of])).p50;
export const rate = (rows: number, rounds: readonly Round[], of: keyof Round): number =>
  (rows / middle(rounds, of)) * 1000;

export const describe = (rows: number, round: Round): string =>
  (['append', 'preview', 'commit', 'bare'] as const)
    .map((step) => `${step} ${Math.round(rate(rows, [round], step))} rows/s`)
    .join(', ');

export function figuresOf(
  people: number,
  rows: number,
  rounds: readonly Round[],
  bars: { readonly commit: number; readonly memory: number },
): Figure[] {
  const most = (of: 'handlers' | 'api'): number => Math.max(...rounds.map((one) => one[of]));
  const perRow = (of: 'handlersBusy' | 'databaseBusy'): number => (middle(rounds, of) / rows) * 1e6;
  return [
    told(`${people} people: append, rows a second`, rate(rows, rounds, 'append')),
    told('  preview: rows a second', rate(rows, rounds, 'preview')),
    told('  commit_import: ms until it answers', middle(rounds, 'accept')),
    atLeast('  commit: rows a second', rate(rows, rounds, 'commit'), rate(rows, rounds, 'bare'), bars.commit),
    told('  commit: processor µs a row, handlers', perRow('handlersBusy')),
    told('  commit: processor µs a row, PostgreSQL', perRow('databaseBusy')),
    atMost('  handlers: most megabytes', most('handlers'), bars.memory, 1),
    told('  API: most megabytes', most('api')),
  ];
}
