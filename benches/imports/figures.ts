import { atLeast, atMost, reaching, told, type Figure } from '../support/figure.ts';
import { timesOf } from '../support/in-turns.ts';
import type { Taken } from './ours.ts';

/** What one round of a size gave: our steps, and what the bare SQL took. */
export interface Round extends Taken {
  readonly bare: number;
}

/** What a size must keep to; `rate` and `search` only where it measures for long enough. */
export interface Bars {
  /** Beside bare. */
  readonly commit: number;
  /** The most people beside none. */
  readonly growth: number;
  readonly memory: number;
  readonly wait: number;
  readonly rate?: number;
  readonly search?: number;
}

const middle = (rounds: readonly Round[], of: keyof Round): number =>
  timesOf(rounds.map((one) => one[of])).p50;
export const rate = (rows: number, rounds: readonly Round[], of: keyof Round): number =>
  (rows / middle(rounds, of)) * 1000;

export const describe = (rows: number, round: Round): string =>
  (['append', 'preview', 'commit', 'bare'] as const)
    .map((step) => `${step} ${Math.round(rate(rows, [round], step))} rows/s`)
    .concat(`first part after ${Math.round(round.wait)} ms`)
    .join(', ');

export function figuresOf(people: number, rows: number, rounds: readonly Round[], bars: Bars): Figure[] {
  const most = (of: 'handlers' | 'api'): number => Math.max(...rounds.map((one) => one[of]));
  const perRow = (of: 'handlersBusy' | 'databaseBusy'): number => (middle(rounds, of) / rows) * 1e6;
  return [
    told(`${people} people: append, rows a second`, rate(rows, rounds, 'append')),
    told('  preview: rows a second', rate(rows, rounds, 'preview')),
    told('  commit_import: ms until it answers', middle(rounds, 'accept')),
    atMost('  commit: ms from the answer to the first part', middle(rounds, 'wait'), bars.wait, 1),
    reaching('  commit: rows a second', rate(rows, rounds, 'commit'), bars.rate),
    atLeast(
      '  commit: rows a second, beside bare',
      rate(rows, rounds, 'commit'),
      rate(rows, rounds, 'bare'),
      bars.commit,
    ),
    told('  commit: processor µs a row, handlers', perRow('handlersBusy')),
    told('  commit: processor µs a row, PostgreSQL', perRow('databaseBusy')),
    atMost('  handlers: most megabytes', most('handlers'), bars.memory, 1),
    told('  API: most megabytes', most('api')),
  ];
}
