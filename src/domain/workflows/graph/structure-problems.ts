import { edgesOf, reachableFrom } from './edges.ts';
import type { Graph } from './graph.ts';
import { typeOf, type Node } from '../nodes/index.ts';
import { placeOf, type Problem } from './problem.ts';
import { hasWebinar, triggerTypeOf } from '../triggers/index.ts';

/** Problems that the shape of a graph alone shows. */
export function structureProblems(graph: Graph): Problem[] {
  return [
    ...triggerProblems(graph),
    ...deadEnds(graph),
    ...unreached(graph),
    ...spinning(graph),
    ...lacksWebinar(graph),
  ];
}

function* triggerProblems({ trigger }: Graph): Generator<Problem> {
  if (trigger.next === undefined)
    yield {
      pointer: '/graph/trigger/next',
      code: 'next_missing',
      message: 'Name the node that comes first.',
    };
  for (const problem of triggerTypeOf(trigger).problems(trigger))
    yield { ...problem, pointer: `/graph/trigger${problem.pointer}` };
}

function* deadEnds({ nodes }: Graph): Generator<Problem> {
  for (const [at, node] of nodes.entries()) {
    for (const { field, to, needed } of edgesOf(node)) {
      if (!needed || to !== undefined) continue;
      const message = `Runs get stuck at ${node.id}: name the node that comes after it in ${field}. To stop there, add a node of type end.`;
      yield { pointer: placeOf(at, field), code: 'next_missing', message };
    }
  }
}

/** Skipped while the trigger leads nowhere: every node would be reported. */
function* unreached({ trigger, nodes }: Graph): Generator<Problem> {
  if (trigger.next === undefined) return;
  const reached = reachableFrom(nodes, trigger.next);
  for (const [at, { id }] of nodes.entries()) {
    if (reached.has(id)) continue;
    yield {
      pointer: placeOf(at),
      code: 'unreachable',
      message: `No way leads to ${id}. Lead one there, or take it out.`,
    };
  }
}

const leastMinutes = 1;

const takesTime = (node: Node): boolean => typeOf(node).leastMinutes(node) >= leastMinutes;

/** Cycles without a pause: a run would loop for ever at a single moment. Each is reported once. */
function* spinning({ nodes }: Graph): Generator<Problem> {
  const restless = nodes.filter((node) => !takesTime(node));
  const ahead = new Map(
    restless.map((node) => {
      const after = edgesOf(node).flatMap(({ to }) =>
        to === undefined ? [] : [...reachableFrom(restless, to)],
      );
      return [node.id, new Set(after)];
    }),
  );
  const reported = new Set<string>();
  for (const { id } of restless) {
    if (reported.has(id) || ahead.get(id)?.has(id) !== true) continue;
    const circle = restless
      .map((node) => node.id)
      .filter((other) => ahead.get(id)?.has(other) && ahead.get(other)?.has(id));
    for (const member of circle) reported.add(member);
    const message = `Runs would go round through ${circle.join(', ')} without end. Put a wait with duration_minutes of at least ${leastMinutes} in between.`;
    yield { pointer: placeOf(nodes.findIndex((node) => node.id === id)), code: 'endless', message };
  }
}

function* lacksWebinar(graph: Graph): Generator<Problem> {
  if (hasWebinar(graph)) return;
  for (const [at, node] of graph.nodes.entries()) {
    const pointer = typeOf(node).webinarPointer(node);
    if (pointer === undefined) continue;
    const message = `${node.id} asks about a webinar, and what triggers this workflow has none.`;
    yield { pointer: placeOf(at) + pointer, code: 'webinar_required', message };
  }
}
