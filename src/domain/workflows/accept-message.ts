import { setImmediate } from 'node:timers/promises';
import type { Work } from '../../database/work.ts';
import type { FieldError } from '../../kernel/failure.ts';
import { acceptVariables } from '../content/accept-variables.ts';
import type { BodyCheck, Finding } from '../content/body.ts';
import { checkBody } from '../content/check-body.ts';
import { findTemplateSyntax } from '../content/check-line.ts';
import { withPlace } from '../content/findings.ts';
import { wrongWithLink } from '../../kernel/link.ts';
import type { Node } from './graph.ts';
import type { Accepted, StoredGraph } from './stored-graph.ts';

export type SendNode = Node & { type: 'send_email' | 'send_text' };

interface Setting {
  /** Whether there is a webinar to read from. */
  readonly webinar: boolean;
  readonly before: StoredGraph;
}

/** What a node sends, judged as a broadcast's draft is: body and variables together. Pointers are from the node on. */
export async function acceptMessage(
  work: Work,
  node: SendNode,
  { webinar, before }: Setting,
): Promise<Accepted & { readonly errors: readonly FieldError[] }> {
  const lines = lineErrors(node);
  const source = sourceOf(node);
  if (source === undefined) return { body: null, variables: {}, errors: lines };
  const check = await checkSource(node, source, before);
  if ('findings' in check) {
    const pointer = node.type === 'send_email' ? '/html' : '/message_body';
    return { errors: [...lines, ...check.findings.map((finding) => toError(pointer, finding))] };
  }
  const { variables, errors } = await acceptVariables(work, node.variables ?? {}, {
    placeholders: check.body.placeholders,
    source,
    channel: node.type === 'send_email' ? 'email' : 'sms',
    webinar,
    isLink: (url) => wrongWithLink(url) === undefined,
  });
  return { body: check.body, variables, errors: [...lines, ...errors] };
}

const sourceOf = (node: SendNode): string | undefined =>
  node.type === 'send_email' ? node.html : node.message_body;

/** A body that stands as it stood was looked at before. A hundred others take turns with whoever else is served. */
async function checkSource(node: SendNode, source: string, before: StoredGraph): Promise<BodyCheck> {
  const there = before.nodes.find(({ id }) => id === node.id);
  const known = before.accepted[node.id]?.body;
  if (known && there?.type === node.type && sourceOf(there as SendNode) === source) return { body: known };
  await setImmediate();
  return checkBody(node.type === 'send_email' ? 'html' : 'text', source);
}

const lineErrors = (node: SendNode): FieldError[] =>
  node.type === 'send_text'
    ? []
    : (['subject', 'preview_text'] as const).flatMap((field) => {
        const finding = findTemplateSyntax(node[field] ?? '');
        return finding === undefined ? [] : [toError(`/${field}`, finding)];
      });

const toError = (pointer: string, finding: Finding): FieldError => ({
  pointer,
  code: finding.code,
  detail: withPlace(finding),
});
