import { DoFirst } from '../../../database/org-transaction.ts';
import type { Work } from '../../../database/work.ts';
import { invalidRequest, type FieldError } from '../../../kernel/failure.ts';
import { readSources, type Sources } from '../../content/variables/sources.ts';
import { readSenders, senderNotFound } from '../../senders/sender.ts';
import { atTrigger } from '../../triggers/enroll.ts';
import { edgesOf } from './edges.ts';
import type { Graph } from './graph.ts';
import { typeOf, type Node } from '../nodes/index.ts';
import { placeOf } from './problem.ts';
import type { StoredGraph } from './stored-graph.ts';
import { hasWebinar, triggerTypeOf, type Trigger } from '../triggers/index.ts';

const mostErrors = 20;

/**
 * The graph as it will be stored, or a refusal that points at every error. It may be incomplete: what is missing is
 * reported as problems, but what it contains must be valid. `before` is the stored graph, whose bodies need no second
 * check.
 */
export async function acceptGraph(work: Work, sent: Graph, before: StoredGraph): Promise<StoredGraph> {
  const graph = normalized(sent);
  await findReferences(work, graph);
  const errors = nameErrors(graph);
  const accepted: Record<string, object> = {};
  const webinar = hasWebinar(graph);
  let reading: Promise<Sources> | undefined;
  const sources = (): Promise<Sources> => (reading ??= readSources(work));
  const first: DoFirst[] = [];
  for (const [at, node] of graph.nodes.entries()) {
    const judged = await orDoFirst(
      first,
      typeOf(node).accept(work, node, { webinar, sources, before: nodeBefore(before, node) }),
    );
    if (judged === undefined) continue;
    errors.push(...judged.errors.map((error) => ({ ...error, pointer: placeOf(at) + error.pointer })));
    if (judged.accepted !== undefined) accepted[node.id] = judged.accepted;
    if (errors.length >= mostErrors) break;
  }
  if (first.length > 0) throw allFirst(first);
  if (errors.length > 0) throw invalidRequest(errors.slice(0, mostErrors));
  return { ...graph, accepted };
}

/** What is to be done first is gathered from all nodes: the transaction starts over once, not once for each. */
async function orDoFirst<T>(first: DoFirst[], judging: Promise<T>): Promise<T | undefined> {
  try {
    return await judging;
  } catch (error) {
    if (!(error instanceof DoFirst)) throw error;
    first.push(error);
    return undefined;
  }
}

const allFirst = (first: readonly DoFirst[]): DoFirst =>
  new DoFirst(async () => {
    for (const { act } of first) await act();
  });

function nodeBefore({ nodes, accepted }: StoredGraph, { id, type }: Node) {
  const node = nodes.find((one) => one.id === id && one.type === type);
  return node && { node, accepted: accepted[id] ?? {} };
}

const normalized = ({ trigger, nodes }: Graph): Graph => ({
  trigger: triggerTypeOf(trigger).normalize(trigger) as Trigger,
  nodes: nodes.map((node) => typeOf(node).normalize(node) as Node),
});

/** Refuses an id of another organization as not found, before any other check. */
async function findReferences(work: Work, { trigger, nodes }: Graph): Promise<void> {
  await triggerTypeOf(trigger).requireReferences(work, trigger);
  const senders = nodes.flatMap((node) => typeOf(node).senders(node));
  if (senders.length === 0) return;
  const known = new Set<string>((await readSenders(work)).map(({ id }) => id));
  if (!senders.every((id) => known.has(id))) throw senderNotFound();
}

/** Requires unique node names, and that every node named exists. */
function nameErrors({ trigger, nodes }: Graph): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [at, { id }] of nodes.entries()) {
    if (id === atTrigger)
      errors.push({
        pointer: placeOf(at, 'id'),
        code: 'reserved',
        detail: `${id} is where runs begin. Call it otherwise.`,
      });
    if (names.has(id))
      errors.push({
        pointer: placeOf(at, 'id'),
        code: 'duplicate',
        detail: `Another node is called ${id} already.`,
      });
    names.add(id);
  }
  const named = [
    { pointer: '/graph/trigger/next', to: trigger.next },
    ...nodes.flatMap((node, at) =>
      edgesOf(node).map(({ field, to }) => ({ pointer: placeOf(at, field), to })),
    ),
  ];
  for (const { pointer, to } of named) {
    if (to !== undefined && !names.has(to))
      errors.push({ pointer, code: 'unknown_node', detail: `There is no node ${to}.`, allowed: [...names] });
  }
  return errors;
}
