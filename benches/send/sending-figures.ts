import { atLeast, atMost, exactly, reaching, told, within, type Figure } from '../support/figure.ts';
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

/** What is asked of sending; what no quiet machine was named for is only told. */
export interface SendingBars {
  /** Beside nodemailer's pool. */
  readonly send: number;
  /** Beside a sender that does the least. */
  readonly least?: number;
  readonly rate?: number;
  readonly ms?: number;
}

const floorTitle = '  beside a sender that does the least';

export function sendingFigures(done: SendingDone, bars: SendingBars): Figure[] {
  const { people, turns, taken, sent } = done;
  const ours = middleOf(turns, 'ours');
  const bytesOf = (side: 'ours' | 'nodemailer'): number =>
    turns.reduce((sum, { did }) => sum + did[side].bytes, 0) /
    turns.reduce((sum, { did }) => sum + did[side].messages, 0);
  return [
    atLeast(`messages a second, ${people} recipients`, ours, middleOf(turns, 'nodemailer'), bars.send),
    bars.least === undefined
      ? told(floorTitle, ours, middleOf(turns, 'floor'))
      : atLeast(floorTitle, ours, middleOf(turns, 'floor'), bars.least),
    ...absoluteFigures(done, bars),
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

/** Messages a second, and processor time of everything but the mail server. */
const absoluteFigures = (done: Sending, { rate, ms }: Pick<SendingBars, 'rate' | 'ms'>): Figure[] => [
  reaching('  messages a second, on a quiet machine', middleOf(done.turns, 'ours'), rate),
  within('  processor ms a message, on a quiet machine', processorOf(done), ms),
];

/** The same without a signature of ours. */
export const unsignedFigures = (done: SendingDone, bars: Pick<SendingBars, 'rate' | 'ms'>): Figure[] => [
  told(
    `messages a second, not signed by us, ${done.people} recipients, beside the least`,
    middleOf(done.turns, 'ours'),
    middleOf(done.turns, 'floor unsigned'),
  ),
  ...absoluteFigures(done, bars),
  ...[...done.processor].map(([name, ms]) => told(`  processor ms a message: ${name}`, ms)),
  exactly('  sent, by the ledger', done.sent, done.people),
  exactly('  taken by the mail server', done.taken, done.people),
];

const ourParts = ['handlers', 'PostgreSQL', 'Restate', 'relay'];

const processorOf = ({ processor }: Sending): number =>
  ourParts.reduce((sum, name) => sum + (processor.get(name) ?? 0), 0);

/** Processor time of everything but the mail server, beside the least that a sender and a ledger can take together. */
export function floorFigures(done: Sending, ledger: LedgerFloor, bar: number): Figure[] {
  const floor = (done.processor.get('floor') ?? 0) + ledger.byHand + ledger.PostgreSQL;
  return [
    told('  processor ms a message: a ledger by hand, in PostgreSQL', ledger.byHand, ledger.PostgreSQL),
    atMost('processor ms a message, beside the least', processorOf(done), floor, bar),
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
