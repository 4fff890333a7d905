import { edgesOf, hasWebinar, reachableFrom } from './edges.ts';
import type { Graph, Node } from './graph.ts';
import { placeOf, type Problem } from './problem.ts';

/** What keeps a graph from being published that can be told from its shape alone. */
export function structureProblems(graph: Graph): Problem[] {
  return [
    ...triggerProblems(graph),
    ...deadEnds(graph),
    ...unreached(graph),
    ...spinning(graph),
    ...lacksWebinar(graph),
  ];
}

// A workflow that sends would start itself again with everything it sends.
const ownEchoes: readonly string[] = ['$svc_email_sent', '$svc_text_sent'];

function* triggerProblems({ trigger }: Graph): Generator<Problem> {
  if (trigger.next === undefined)
    yield {
      pointer: '/graph/trigger/next',
      code: 'next_missing',
      message: 'Name the node that comes first.',
    };
  if (trigger.type === 'event' && ownEchoes.includes(trigger.event_name)) {
    const message = `${trigger.event_name} is recorded for what workflows send themselves: it would start over without end.`;
    yield { pointer: '/graph/trigger/event_name', code: 'starts_itself', message };
  }
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

/** Not asked as long as the trigger leads nowhere: then it would be every one of them. */
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

/** Time passes here. The moment of an anchored wait stands still: whoever comes back to it would go on at once. */
const takesTime = (node: Node): boolean =>
  node.type === 'wait' && node.duration_minutes !== undefined && node.duration_minutes >= leastMinutes;

/** Circles without a pause: a run would go round in one without end at a single moment. Each is told once. */
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
  const told = new Set<string>();
  for (const { id } of restless) {
    if (told.has(id) || ahead.get(id)?.has(id) !== true) continue;
    const circle = restless
      .map((node) => node.id)
      .filter((other) => ahead.get(id)?.has(other) && ahead.get(other)?.has(id));
    for (const member of circle) told.add(member);
    const message = `Runs would go round through ${circle.join(', ')} without end. Put a wait with duration_minutes of at least ${leastMinutes} in between.`;
    yield { pointer: placeOf(nodes.findIndex((node) => node.id === id)), code: 'endless', message };
  }
}

function* lacksWebinar(graph: Graph): Generator<Problem> {
  if (hasWebinar(graph)) return;
  for (const [at, node] of graph.nodes.entries()) {
    if (node.type === 'attendance_split' || (node.type === 'wait' && node.anchor !== undefined)) {
      const pointer = node.type === 'wait' ? placeOf(at, 'anchor') : placeOf(at);
      const message = `${node.id} asks about a webinar, and what triggers this workflow has none.`;
      yield { pointer, code: 'webinar_required', message };
    }
  }
}
