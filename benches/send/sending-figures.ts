import { atLeast, exactly, told, type Figure } from '../support/figure.ts';
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

/** How much of bare we do, by the middle of all turns. */
export const shareOfBare = ({ turns }: Sending): number => {
  const { ours, bare } = middleOf(turns);
  return ours / bare;
};

export function sendingFigures(done: SendingDone, bar: number): Figure[] {
  const { people, turns, taken, sent } = done;
  const { ours, bare } = middleOf(turns);
  const bytesOf = (side: 'ours' | 'bare'): number =>
    turns.reduce((sum, turn) => sum + turn[side].bytes, 0) /
    turns.reduce((sum, turn) => sum + turn[side].messages, 0);
  return [
    atLeast(`messages a second, ${people} recipients`, ours, bare, bar),
    ...byMark(turns).map(([from, at]) => told(`  from ${from} on`, middleOf(at).ours, middleOf(at).bare)),
    told(`  bytes a message`, bytesOf('ours'), bytesOf('bare')),
    ...[...done.processor].map(([name, ms]) => told(`  processor ms a message: ${name}`, ms)),
    told('  processor ms a message: nodemailer by itself', done.bareProcessor),
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

/** Turns that were taken one after another, by where the first of them began. */
function byMark(turns: readonly Turn[]): [number, Turn[]][] {
  const marks = new Map<number, Turn[]>();
  for (const turn of turns) marks.set(turn.mark, [...(marks.get(turn.mark) ?? []), turn]);
  return marks.size > 1 ? [...marks] : [];
}
