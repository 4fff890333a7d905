import { atLeast, atMost, exactly, told, type Figure } from '../support/figure.ts';
import type { LedgerFloor } from './ledger-floor-figures.ts';
import { rivalNames } from './rivals.ts';
import { middleOf, type Sending, type Turn } from './sending.ts';

/** What was measured of one broadcast, and how it ended. */
export interface SendingDone extends Sending {
  readonly people: number;
  /** How many the mail server took of ours. */
  readonly taken: number;
  readonly sent: number;
  /** Neither sent nor waiting: skipped, failed or uncertain. */
  readonly other: number;
  readonly isOver: boolean;
}

/** How much of nodemailer's pool we do, by the middle of all turns. */
export const shareOfBare = ({ turns }: Sending): number =>
  middleOf(turns, 'ours') / middleOf(turns, 'nodemailer');

export function sendingFigures(done: SendingDone, bar: number): Figure[] {
  const { people, turns, taken, sent } = done;
  const ours = middleOf(turns, 'ours');
  const bytesOf = (side: 'ours' | 'nodemailer'): number =>
    turns.reduce((sum, { did }) => sum + did[side].bytes, 0) /
    turns.reduce((sum, { did }) => sum + did[side].messages, 0);
  return [
    atLeast(`messages a second, ${people} recipients`, ours, middleOf(turns, 'nodemailer'), bar),
    told('  beside a sender that does the least', ours, middleOf(turns, 'floor')),
    told('  beside the same without signatures', ours, middleOf(turns, 'floor unsigned')),
    ...byMark(turns).map(([from, at]) =>
      told(`  from ${from} on`, middleOf(at, 'ours'), middleOf(at, 'nodemailer')),
    ),
    told(`  bytes a message`, bytesOf('ours'), bytesOf('nodemailer')),
    ...[...done.processor].map(([name, ms]) => told(`  processor ms a message: ${name}`, ms)),
    done.isOver
      ? exactly('  sent, by the ledger', sent, people)
      : told('  sent by the end of the time, of', sent, people),
    exactly('  skipped, failed or uncertain', done.other, 0),
    // What is in hand when the time is up was taken and is not yet written down.
    done.isOver
      ? exactly('  taken by the mail server', taken, people)
      : told('  taken by the mail server by then', taken),
  ];
}

const ourParts = ['handlers', 'PostgreSQL', 'Restate', 'relay'];

/** Processor time of everything but the mail server, beside the least that a sender and a ledger can take together. */
export function floorFigures({ processor }: Sending, ledger: LedgerFloor, bar: number): Figure[] {
  const of = (name: string): number => processor.get(name) ?? 0;
  const ours = ourParts.reduce((sum, name) => sum + of(name), 0);
  const floor = of('floor') + ledger.byHand + ledger.PostgreSQL;
  return [
    told('  processor ms a message: a ledger by hand, in PostgreSQL', ledger.byHand, ledger.PostgreSQL),
    atMost('processor ms a message, beside the least', ours, floor, bar),
  ];
}

/** A server that takes its time for each reply: whether its connections are kept busy. */
export const slowServerFigures = ({ turns }: Sending, most: number, bar: number): Figure[] => [
  atLeast(
    'messages a second, 25 ms a reply, beside connections ÷ reply time',
    middleOf(turns, 'ours'),
    most,
    bar,
  ),
  ...rivalNames.map((name) => told(`  beside ${name}`, middleOf(turns, 'ours'), middleOf(turns, name))),
];

/** Turns that were taken one after another, by where the first of them began. */
function byMark(turns: readonly Turn[]): [number, Turn[]][] {
  const marks = new Map<number, Turn[]>();
  for (const turn of turns) marks.set(turn.mark, [...(marks.get(turn.mark) ?? []), turn]);
  return marks.size > 1 ? [...marks] : [];
}
