import type { Work } from '../../database/work.ts';
import { Failure, invalidRequest, type FieldError } from '../../kernel/failure.ts';
import { findConfigs } from '../properties/property-config.ts';
import type { StoredCondition } from '../segments/condition.ts';
import { acceptFilters } from '../segments/read-filters.ts';
import { readSenders, senderNotFound } from '../senders/sender.ts';
import { atTrigger } from '../triggers/enroll.ts';
import { requireWebinar } from '../webinars/webinar.ts';
import { acceptMessage } from './accept-message.ts';
import { edgesOf, hasWebinar } from './edges.ts';
import type { Graph, Node } from './graph.ts';
import { placeOf } from './problem.ts';
import type { Accepted, StoredGraph } from './stored-graph.ts';

const mostErrors = 20;

/**
 * A graph as it will be kept, or a refusal that points at everything that is wrong. It may be half done: what is still
 * missing is told as problems. What is there must hold. `before` is what is kept now, whose bodies need no second look.
 */
export async function acceptGraph(work: Work, sent: Graph, before: StoredGraph): Promise<StoredGraph> {
  const graph = withStoredIds(sent);
  await findReferences(work, graph);
  const errors = nameErrors(graph);
  const accepted: Record<string, Accepted> = {};
  for (const [at, node] of graph.nodes.entries()) {
    const { errors: wrong, ...kept } = await acceptNode(work, graph, node, before);
    errors.push(...wrong.map((error) => ({ ...error, pointer: placeOf(at) + error.pointer })));
    if (Object.keys(kept).length > 0) accepted[node.id] = kept;
    if (errors.length >= mostErrors) break;
  }
  if (errors.length > 0) throw invalidRequest(errors.slice(0, mostErrors));
  return { ...graph, accepted };
}

/** An id in capitals is the same id. */
const withStoredIds = ({ trigger, nodes }: Graph): Graph => ({
  trigger:
    trigger.type === 'event'
      ? trigger
      : { ...trigger, webinar_id: (trigger.webinar_id?.toLowerCase() ?? null) as typeof trigger.webinar_id },
  nodes: nodes.map((node) =>
    node.type === 'send_email' && node.sender_id !== undefined
      ? { ...node, sender_id: node.sender_id.toLowerCase() as typeof node.sender_id }
      : node,
  ),
});

/** An id of another organization is not found here, whatever else is right or wrong. */
async function findReferences(work: Work, { trigger, nodes }: Graph): Promise<void> {
  if (trigger.type === 'webinar_registration' && trigger.webinar_id !== null)
    await requireWebinar(work, trigger.webinar_id);
  const senders = nodes.flatMap((node) => (node.type === 'send_email' ? (node.sender_id ?? []) : []));
  if (senders.length === 0) return;
  const known = new Set<string>((await readSenders(work)).map(({ id }) => id));
  if (!senders.every((id) => known.has(id))) throw senderNotFound();
}

/** Each node has a name of its own, and every node that is named is there. */
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

type Judged = Accepted & { readonly errors: readonly FieldError[] };

async function acceptNode(work: Work, graph: Graph, node: Node, before: StoredGraph): Promise<Judged> {
  switch (node.type) {
    case 'send_email':
    case 'send_text':
      return acceptMessage(work, node, { webinar: hasWebinar(graph), before });
    case 'condition_split':
      return acceptConditions(work, node.filters);
    case 'set_property':
      return acceptValue(work, node);
    default:
      return { errors: [] };
  }
}

async function acceptConditions(work: Work, filters: Parameters<typeof acceptFilters>[1]): Promise<Judged> {
  try {
    const { stored } = await acceptFilters(work, filters);
    return { filters: JSON.parse(stored) as StoredCondition[], errors: [] };
  } catch (error) {
    if (error instanceof Failure && error.extras.errors !== undefined) return { errors: error.extras.errors };
    throw error;
  }
}

/** As set_person_property: the key has a config, and the value is exactly of its type. */
async function acceptValue(work: Work, { key, value }: Node & { type: 'set_property' }): Promise<Judged> {
  const config = (await findConfigs(work, [key])).get(key);
  if (config === undefined) {
    const detail = 'No property config has this key. list_property_configs shows those there are.';
    return { errors: [{ pointer: '/key', code: 'unknown_property', detail }] };
  }
  if (typeof value === config.type) return { key: config.key, errors: [] };
  const detail = `${config.key} takes a ${config.type}, and nothing that merely looks like one.`;
  return { errors: [{ pointer: '/value', code: 'invalid_type', detail, allowed: [config.type] }] };
}
