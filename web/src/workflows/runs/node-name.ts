import { atTrigger, type Graph } from '../graph/graph.ts';
import { kindOf, partAt } from '../graph/ways.ts';
import { titleOf } from '../graph/words.ts';

/** What a node is called in lists, also one that the draft no longer has. */
export function nodeName(graph: Graph, id: string): string {
  if (id === atTrigger) return 'Before the first step';
  const part = partAt(graph, id);
  if (part === undefined) return id;
  return part.type === 'end' ? 'End' : `${kindOf(part).label}: ${titleOf(part)}`;
}
