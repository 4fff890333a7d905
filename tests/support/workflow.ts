import { setLayout } from './broadcast.ts';
import { newSender } from './sender-row.ts';
import type { TestOrg } from './test-org.ts';
import type { World } from './world.ts';

// Answers are looked into by tests, not typed twice.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;
type Fields = Readonly<Record<string, unknown>>;

/** What a graph is written as: `{ trigger, nodes }`. */
export interface GraphInput {
  readonly trigger: Fields;
  readonly nodes: readonly Fields[];
}

export const onRegistration = (webinar_id: string | null = null): Fields => ({
  type: 'webinar_registration',
  webinar_id,
});

export const onEvent = (event_name: string): Fields => ({ type: 'event', event_name });

/** Nodes one after the other, the first after the trigger, with an `end` after the last. Splits name their own ways. */
export function inLine(trigger: Fields, ...nodes: readonly Fields[]): GraphInput {
  const all = [...nodes, { id: 'done', type: 'end' }];
  const goesOn = ({ type, ...node }: Fields): boolean =>
    !['attendance_split', 'condition_split', 'end'].includes(type as string) && !('next' in node);
  return {
    trigger: { ...trigger, next: all[0]!['id'] },
    nodes: all.map((node, at) => (goesOn(node) ? { ...node, next: all[at + 1]!['id'] } : node)),
  };
}

/** An email that can be sent: its sender is ready, and the layout has what it needs. */
export async function emailNode(
  world: World,
  org: TestOrg,
  id: string,
  fields: Fields = {},
): Promise<Fields> {
  await setLayout(org);
  const sender_id = 'sender_id' in fields ? fields['sender_id'] : await newSender(world, org);
  return { id, type: 'send_email', subject: `About ${id}`, html: '<p>Hello</p>', sender_id, ...fields };
}

/** Drafts a workflow over REST and answers it. */
export async function newWorkflow(org: TestOrg, graph?: GraphInput, name = 'A workflow'): Promise<Json> {
  const { status, body } = await org.rest('POST /v1/workflows', { name, ...(graph && { graph }) });
  if (status !== 201) throw new Error(`create_workflow answered ${status}: ${JSON.stringify(body)}`);
  return body.workflow;
}

export async function publish(org: TestOrg, workflow: string): Promise<Json> {
  const { status, body } = await org.rest(`POST /v1/workflows/${workflow}/publish`, {});
  if (status !== 200) throw new Error(`publish_workflow answered ${status}: ${JSON.stringify(body)}`);
  return body.workflow;
}

/** A workflow that is live, by its id. */
export async function liveWorkflow(org: TestOrg, graph: GraphInput, name?: string): Promise<string> {
  const { id } = await newWorkflow(org, graph, name);
  await publish(org, id);
  return id;
}

export async function readWorkflow(org: TestOrg, id: string): Promise<Json> {
  const { status, body } = await org.rest(`GET /v1/workflows/${id}`);
  if (status !== 200) throw new Error(`get_workflow answered ${status}: ${JSON.stringify(body)}`);
  return body.workflow;
}
