import type { StepMessage } from '../broadcasts/mailing.ts';
import type { SendNode } from './accept-message.ts';
import type { Node, Wait } from './graph.ts';
import type { LiveGraph, LiveNode, LiveWait } from './live-graph.ts';
import type { Accepted, StoredGraph } from './stored-graph.ts';

/** A draft as runs will read it. It has no problems: every way on that a node needs is there. */
export function compileGraph({ trigger, nodes, accepted }: StoredGraph): LiveGraph {
  return {
    trigger: { ...trigger, next: there(trigger.next) },
    nodes: Object.fromEntries(nodes.map((node) => [node.id, compileNode(node, accepted[node.id] ?? {})])),
  };
}

function compileNode(node: Node, accepted: Accepted): LiveNode {
  switch (node.type) {
    case 'wait':
      return compileWait(node);
    case 'attendance_split':
      return { type: node.type, attended: there(node.attended), no_show: there(node.no_show) };
    case 'condition_split':
      return {
        type: node.type,
        filters: there(accepted.filters),
        yes: there(node.yes),
        no: there(node.no),
      };
    case 'send_email':
    case 'send_text':
      return { type: 'send', message: messageOf(node, accepted), next: there(node.next) };
    case 'set_property':
      return { type: node.type, key: accepted.key ?? node.key, value: node.value, next: there(node.next) };
    case 'end':
      return { type: 'end' };
  }
}

const minute = 60_000;

function compileWait({ duration_minutes, anchor, offset_minutes, next, past }: Wait): LiveWait {
  const after = there(next);
  return {
    type: 'wait',
    for:
      anchor === undefined
        ? Math.round((duration_minutes ?? 0) * minute)
        : { anchor, offset_ms: Math.round((offset_minutes ?? 0) * minute) },
    next: after,
    past: past ?? after,
  };
}

/** What a node sends, as a broadcast's row would have it. */
export function messageOf(node: SendNode, { body, variables }: Accepted): StepMessage {
  const byEmail = node.type === 'send_email';
  return {
    channel: byEmail ? 'email' : 'sms',
    subject: byEmail ? (node.subject ?? null) : null,
    preview_text: byEmail ? (node.preview_text ?? null) : null,
    html: byEmail ? (node.html ?? null) : null,
    message_body: byEmail ? null : (node.message_body ?? null),
    body: body ?? null,
    variables: variables ?? {},
    sender_id: byEmail ? (node.sender_id ?? null) : null,
  };
}

function there<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('A graph with problems is not compiled.');
  return value;
}
