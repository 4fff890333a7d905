import { atTrigger, type Graph, type Node, type Trigger, type Way } from '../graph/graph.ts';
import { allWays, partAt, waysOf } from '../graph/ways.ts';

// Every edit gives a new graph and leaves the old one as it is, which is what undo goes back to.

/** Fields of a step; undefined takes one out. */
export type Fields = Readonly<Record<string, unknown>>;

const withFields = <Part extends Trigger | Node>(part: Part, fields: Fields): Part =>
  Object.fromEntries(
    Object.entries({ ...part, ...fields }).filter(([, value]) => value !== undefined),
  ) as unknown as Part;

/** Changes the fields of a step or of the trigger. */
export const changeStep = (graph: Graph, id: string, fields: Fields): Graph =>
  id === atTrigger
    ? { ...graph, trigger: withFields(graph.trigger, fields) }
    : { ...graph, nodes: graph.nodes.map((node) => (node.id === id ? withFields(node, fields) : node)) };

/** Leads a way to a step, or nowhere. */
export const leadTo = (graph: Graph, { from, field }: Way, to: string | undefined): Graph =>
  changeStep(graph, from, { [field]: to });

/** Puts a step on a way; what came after it comes after the step, by its first way out. */
export function addStep(graph: Graph, way: Way, step: Node): Graph {
  const after = allWays(graph).find(({ from, field }) => from === way.from && field === way.field)?.to;
  const first = waysOf(step)[0];
  const placed = first === undefined ? step : withFields(step, { [first.field]: after });
  const at = graph.nodes.findIndex(({ id }) => id === way.from) + 1;
  return leadTo({ ...graph, nodes: graph.nodes.toSpliced(at, 0, placed) }, way, step.id);
}

/** Takes a step out; whatever led to it leads to what came after it, by its first way out. */
export function removeStep(graph: Graph, id: string): Graph {
  const gone = graph.nodes.find((node) => node.id === id);
  if (gone === undefined) return graph;
  const after = waysOf(gone)[0]?.to;
  const rest = { ...graph, nodes: graph.nodes.filter((node) => node !== gone) };
  return redirect(rest, id, after === id ? undefined : after);
}

/** Calls a step otherwise; what leads to it still does. */
export const renameStep = (graph: Graph, id: string, name: string): Graph =>
  redirect(
    { ...graph, nodes: graph.nodes.map((node) => (node.id === id ? { ...node, id: name } : node)) },
    id,
    name,
  );

/** Puts a copy of a step after it. */
export function duplicateStep(graph: Graph, id: string): Graph {
  const step = partAt(graph, id);
  if (step === undefined || !('id' in step)) return graph;
  const [first] = waysOf(step);
  if (first === undefined) return graph;
  return addStep(graph, first, { ...step, id: freeName(graph, id.replace(/-\d+$/, '')) });
}

const redirect = (graph: Graph, from: string, to: string | undefined): Graph =>
  allWays(graph)
    .filter((way) => way.to === from)
    .reduce((led, way) => leadTo(led, way, to), graph);

/** A name that no step has yet. */
export function freeName({ nodes }: Graph, base: string): string {
  const taken = new Set([atTrigger, ...nodes.map(({ id }) => id)]);
  let name = base;
  for (let turn = 2; taken.has(name); turn++) name = `${base.slice(0, 58)}-${turn}`;
  return name;
}
