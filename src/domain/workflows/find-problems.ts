import type { Work } from '../../database/work.ts';
import { contentChecks } from '../broadcasts/plan-checks.ts';
import { emptyDraft } from '../broadcasts/draft-of-row.ts';
import { missingVariables } from '../content/accept-variables.ts';
import type { Variables } from '../content/definition.ts';
import { findConfigs } from '../properties/property-config.ts';
import { warningsOf } from '../segments/read-filters.ts';
import { readLayout } from '../senders/email-layout.ts';
import { readSenders } from '../senders/sender.ts';
import { readSmsNumber } from '../senders/sms-number.ts';
import { messageOf } from './compile-graph.ts';
import { hasWebinar } from './edges.ts';
import type { Node } from './graph.ts';
import { placeOf, type Problem } from './problem.ts';
import type { StoredGraph } from './stored-graph.ts';
import { structureProblems } from './structure-problems.ts';

/**
 * Everything that keeps a draft from being published as things stand now: what is missing in it, and what it refers to
 * that is not there any more or not ready. In a fixed number of queries, however many nodes there are.
 */
export async function findProblems(work: Work, graph: StoredGraph): Promise<Problem[]> {
  return [
    ...structureProblems(graph),
    ...(await messageProblems(work, graph)),
    ...(await conditionProblems(work, graph)),
    ...(await propertyProblems(work, graph)),
  ];
}

type Placed<Type extends Node['type']> = readonly [at: number, node: Node & { type: Type }];

const nodesOf = <Type extends Node['type']>({ nodes }: StoredGraph, ...types: Type[]): Placed<Type>[] =>
  [...nodes.entries()].filter((placed): placed is [number, Node & { type: Type }] =>
    (types as string[]).includes(placed[1].type),
  );

/** Where a check of a broadcast's plan points in a node; the others point at the node. */
const fieldOf: Readonly<Record<string, string>> = {
  subject_missing: 'subject',
  sender_missing: 'sender_id',
  sender_domain_unverified: 'sender_id',
  variable_missing: 'variables',
};

async function messageProblems(work: Work, graph: StoredGraph): Promise<Problem[]> {
  const sending = nodesOf(graph, 'send_email', 'send_text');
  if (sending.length === 0) return [];
  const senders = new Map((await readSenders(work)).map((sender) => [sender.id as string, sender]));
  const layout = await readLayout(work);
  const smsNumber = await readSmsNumber(work);
  const messages = sending.map(([, node]) => messageOf(node, graph.accepted[node.id] ?? {}));
  const missing = await missingInEach(
    work,
    messages.map(({ variables }) => variables),
    hasWebinar(graph),
  );
  return sending.flatMap(([at, node], index) => {
    const draft = { ...emptyDraft, ...messages[index] };
    const sender = senders.get(draft.sender_id ?? '');
    const checks = contentChecks({ draft, sender, layout, smsNumber, missing: missing[index] ?? [] });
    const bodyField = node.type === 'send_email' ? 'html' : 'message_body';
    return [...checks].map(({ code, message }) => ({
      pointer: placeOf(at, code === 'body_missing' ? bodyField : fieldOf[code]),
      code,
      message,
    }));
  });
}

/** The names in each of many messages that have nothing to read any more, over one read of the sources. */
async function missingInEach(
  work: Work,
  messages: readonly Variables[],
  webinar: boolean,
): Promise<string[][]> {
  // A name tells by how it begins what it is for; what stands after it keeps those of two messages apart.
  const all = messages.flatMap((variables, index) =>
    Object.entries(variables).map(([name, definition]) => [`${name} ${index}`, definition] as const),
  );
  const missing = new Set(await missingVariables(work, Object.fromEntries(all), { webinar }));
  return messages.map((variables, index) =>
    Object.keys(variables).filter((name) => missing.has(`${name} ${index}`)),
  );
}

async function conditionProblems(work: Work, graph: StoredGraph): Promise<Problem[]> {
  const splits = nodesOf(graph, 'condition_split');
  if (splits.length === 0) return [];
  const warnings = await warningsOf(
    work,
    splits.map(([, { id }]) => graph.accepted[id]?.filters ?? []),
  );
  return splits.flatMap(([at], index) =>
    (warnings[index] ?? []).map(({ pointer, code, detail }) => ({
      pointer: placeOf(at) + pointer,
      code,
      message: detail,
    })),
  );
}

/** The config was there when the draft was written. It may be gone since, or be of another type. */
async function propertyProblems(work: Work, graph: StoredGraph): Promise<Problem[]> {
  const setting = nodesOf(graph, 'set_property');
  const keys = setting.map(([, node]) => graph.accepted[node.id]?.key ?? node.key);
  const configs = await findConfigs(work, keys);
  return setting.flatMap(([at, { value }], index): Problem[] => {
    const key = keys[index] ?? '';
    const config = configs.get(key);
    if (config === undefined || config.key !== key) {
      const message = `The property ${key} is not there any more. Choose another, or take the node out.`;
      return [{ pointer: placeOf(at, 'key'), code: 'unknown_property', message }];
    }
    if (typeof value === config.type) return [];
    const message = `${key} takes a ${config.type} now.`;
    return [{ pointer: placeOf(at, 'value'), code: 'invalid_type', message }];
  });
}
