import { atTrigger, type Graph } from './graph.ts';
import { labelOfWay, partAt, waysOf } from './ways.ts';

export interface Row {
  readonly id: string;
  /** How many branches deep it is. */
  readonly depth: number;
  /** The branch that begins here: "Attended". */
  readonly branch: string | undefined;
}

/** The steps as one reads them: along the first way, branch by branch, each once; those that no way leads to last. */
export function inOrder(graph: Graph): readonly Row[] {
  const rows: Row[] = [];
  const seen = new Set<string>();
  const ahead: Row[] = [{ id: atTrigger, depth: 0, branch: undefined }];
  for (let row = ahead.pop(); row !== undefined; row = ahead.pop()) {
    const { id, depth } = row;
    const part = partAt(graph, id);
    if (part === undefined || seen.has(id)) continue;
    seen.add(id);
    rows.push(row);
    const ways = waysOf(part).filter(({ to }) => to !== undefined);
    ahead.push(
      ...ways
        .map(({ field, to }) => ({
          id: to!,
          depth: depth + (labelOfWay(part, field) === undefined ? 0 : 1),
          branch: labelOfWay(part, field),
        }))
        .toReversed(),
    );
  }
  const lost = graph.nodes.filter(({ id }) => !seen.has(id));
  return [...rows, ...lost.map(({ id }) => ({ id, depth: 0, branch: undefined }))];
}
