import { atMost, exactly, told, type Figure } from '../support/figure.ts';
import type { Answers } from './attacker.ts';
import { asks, type Ask, type Served } from './victim.ts';

/** What the victim was served before an attack and during it, and what the attacker was answered. */
export interface Turn {
  readonly quiet: Served;
  readonly attacked: Served;
  readonly answers: Answers;
}

const quantiles = ['p50', 'p95'] as const;
type Quantile = (typeof quantiles)[number];

/** The bar, and what is held to it; the other one is only told. */
export interface Judged {
  readonly by: Quantile;
  readonly most: number;
}

export const figuresOf = (attack: string, turns: readonly Turn[], judged: Judged): Figure[] => [
  ...asks.flatMap((ask) => {
    const { quiet, attacked } = middleOf(turns, ask, judged.by);
    return quantiles.map((at) => {
      const name = `${attack}: ${ask} ${at} ms, beside quiet`;
      const [ours, bare] = [attacked.times[ask][at], quiet.times[ask][at]];
      return at === judged.by ? atMost(name, ours, bare, judged.most) : told(name, ours, bare);
    });
  }),
  exactly(
    '  failed calls of the victim',
    sum(turns, ({ attacked }) => attacked.failed),
    0,
  ),
  exactly(
    '  calls of the victim refused with 429',
    sum(turns, ({ attacked }) => attacked.refused),
    0,
  ),
  ...statusesOf(turns).map((status) =>
    told(
      `  answers to the attacker: ${status === 0 ? 'none' : status}`,
      sum(turns, ({ answers }) => answers[status] ?? 0),
    ),
  ),
];

/** One stumble of the machine is no figure. */
function middleOf(turns: readonly Turn[], ask: Ask, by: Quantile): Turn {
  const ratio = ({ quiet, attacked }: Turn): number => attacked.times[ask][by] / quiet.times[ask][by];
  return turns.toSorted((a, b) => ratio(a) - ratio(b))[Math.floor(turns.length / 2)]!;
}

const statusesOf = (turns: readonly Turn[]): number[] =>
  [...new Set(turns.flatMap(({ answers }) => Object.keys(answers).map(Number)))].toSorted((a, b) => a - b);

const sum = (turns: readonly Turn[], of: (turn: Turn) => number): number =>
  turns.reduce((total, turn) => total + of(turn), 0);
