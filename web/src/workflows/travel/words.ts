import { count } from '../../format/number.ts';
import type { Graph } from '../graph/graph.ts';
import { partAt } from '../graph/ways.ts';
import { titleOf } from '../graph/words.ts';
import type { Letter, Standing } from './standing.ts';

const many = (number: number): string => `${count(number)} ${number === 1 ? 'message' : 'messages'}`;

/** Where somebody would be at a moment, and what they would have by then, in a sentence. */
export function saidStanding(
  graph: Graph,
  name: string,
  standing: Standing,
  letters: readonly Letter[],
  at: number,
): string {
  if (standing.is === 'before') return `${name} would not have entered yet.`;
  const coming = letters.filter(({ reason }) => reason === undefined);
  const received = coming.filter((letter) => letter.at <= at).length;
  const kept = letters.filter((letter) => letter.reason !== undefined && letter.at <= at).length;
  const had = [
    `${many(received)} received`,
    `${count(coming.length - received)} to come`,
    ...(kept > 0 ? [`${count(kept)} not sent to them`] : []),
  ].join(', ');
  return `${name} ${where(graph, standing)}, with ${had}.`;
}

function where(graph: Graph, standing: Exclude<Standing, { is: 'before' }>): string {
  if (standing.is === 'ended') return 'would have come to the end';
  if (standing.is === 'beyond') return 'would still be under way, farther than is looked';
  const part = partAt(graph, standing.node);
  return `would be waiting ${part === undefined ? `at ${standing.node}` : titleOf(part)}`;
}
