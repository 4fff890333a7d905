import type { Work } from '../../../database/work.ts';
import { typeOf } from '../nodes/index.ts';
import { placeOf, type Problem } from './problem.ts';
import type { StoredGraph } from './stored-graph.ts';
import { structureProblems } from './structure-problems.ts';
import { hasWebinar } from '../triggers/index.ts';

/**
 * Everything that prevents publishing a draft as things stand now: what is missing in it, and references that are gone
 * or not ready. Takes a fixed number of queries, however many nodes there are.
 */
export const findProblems = async (work: Work, graph: StoredGraph): Promise<Problem[]> => [
  ...structureProblems(graph),
  ...(await contentProblems(work, graph)),
];

/** The problems inside nodes, node after node. Nodes whose types share a finder are passed to it together. */
async function contentProblems(work: Work, graph: StoredGraph): Promise<Problem[]> {
  const found: Problem[][] = [];
  const groups = Map.groupBy(graph.nodes.entries(), ([, node]) => typeOf(node).problems.find);
  for (const [find, placed] of groups) {
    const asked = placed.map(([, node]) => typeOf(node).problems.about(node, graph.accepted[node.id] ?? {}));
    const answers = await find(work, asked, { webinar: hasWebinar(graph) });
    for (const [index, [at]] of placed.entries()) {
      found[at] = (answers[index] ?? []).map((problem) => ({
        ...problem,
        pointer: placeOf(at) + problem.pointer,
      }));
    }
  }
  return found.flat();
}
