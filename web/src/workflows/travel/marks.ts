import type { Graph } from '../graph/graph.ts';
import { kindOf, partAt } from '../graph/ways.ts';
import { titleOf } from '../graph/words.ts';
import type { Mark } from './rule.ts';
import type { Travelled } from './use-told.ts';

/** What happens on somebody's way, one mark for each moment, and the webinar's start. */
export function marksOf(
  graph: Graph,
  { told, startAt }: Pick<Travelled, 'told' | 'startAt'>,
  start: Date | undefined,
): readonly Mark[] {
  const steps = told.steps.map(({ node, at, did }): Mark => {
    const part = partAt(graph, node);
    const label =
      did === 'ended'
        ? 'Ends'
        : part === undefined
          ? node
          : part.type === 'wait'
            ? titleOf(part)
            : kindOf(part).label;
    return { at: Date.parse(at), label };
  });
  const all = [
    { at: startAt, label: 'Enters' },
    ...(start === undefined ? [] : [{ at: start.getTime(), label: 'Webinar starts' }]),
    ...steps,
  ];
  // Of what happens at one moment the first gives it its name: the wait that is over, before what follows it.
  const moments = Map.groupBy(
    all.toSorted((one, other) => one.at - other.at),
    ({ at }) => at,
  );
  return [...moments.values()].map((together) => together[0]!);
}
