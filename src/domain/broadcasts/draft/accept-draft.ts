import { createHash } from 'node:crypto';
import type { Work } from '../../../database/work.ts';
import { invalidRequest, type FieldError } from '../../../kernel/failure.ts';
import type { CheckedBody, Finding } from '../../content/body/body.ts';
import { checkBodyFirst } from '../../content/body/check-body.ts';
import { findTemplateSyntax } from '../../content/body/check-line.ts';
import { acceptVariables } from '../../content/variables/accept-variables.ts';
import type { Variables } from '../../content/variables/definition.ts';
import { withPlace } from '../../content/body/findings.ts';
import { wrongWithLink } from '../../../kernel/link.ts';
import { requireSegment } from '../../filters/stored-segment.ts';
import { requireSender } from '../../senders/sender.ts';
import { requireWebinar } from '../../webinars/record/webinar.ts';
import type { Draft, DraftPatch } from './draft-input.ts';
import { misfits } from './draft-misfits.ts';
import { turnChannel } from './turn-channel.ts';

/**
 * Applies the fields sent to a draft. All are checked together, body and variables above all, and an inconsistent draft
 * is refused as a whole. The body is checked before the row is locked, because that is slow.
 */
export async function acceptDraft(
  work: Work,
  sent: DraftPatch,
  hold: () => Promise<Draft>,
): Promise<{ before: Draft; after: Draft }> {
  const checked = checkSentBody(work, sent);
  const before = await hold();
  await findReferences(work, sent);
  const turned = await turnChannel(work, before, sent.channel);
  const merged = merge(turned, sent);
  const errors = [...misfits(merged, sent), ...checked.errors, ...lineErrors(sent)];
  if (errors.length > 0) throw invalidRequest(errors);
  const body = checked.body ?? turned.body;
  const variables = await joinVariables(work, turned, sent, { ...merged, body });
  return { before, after: { ...merged, body, variables } };
}

/** An id of another organization is not found, regardless of other errors. */
async function findReferences(work: Work, sent: DraftPatch): Promise<void> {
  if (sent.segment_id !== undefined) await requireSegment(work, sent.segment_id);
  if (sent.webinar_id !== undefined) await requireWebinar(work, sent.webinar_id);
  if (typeof sent.sender_id === 'string') await requireSender(work, sent.sender_id);
}

/** The merged fields. Fields that belong to another audience than the draft's new one are cleared. */
function merge(before: Draft, sent: DraftPatch): Draft {
  const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
  const all = { ...before, ...given } as Draft;
  const toWebinar = all.audience === 'webinar';
  return {
    ...all,
    segment_id: all.audience === 'segment' ? asStored(all.segment_id) : null,
    webinar_id: toWebinar ? asStored(all.webinar_id) : null,
    webinar_audience: toWebinar ? (all.webinar_audience ?? 'registered') : null,
    webinar_offset_minutes: toWebinar ? all.webinar_offset_minutes : null,
    webinar_anchor: toWebinar ? (all.webinar_anchor ?? 'start') : null,
    sender_id: asStored(all.sender_id),
  };
}

/** An id in capitals is the same id, so it is no change. */
const asStored = (id: string | null): string | null => id?.toLowerCase() ?? null;

function checkSentBody(work: Work, sent: DraftPatch): { body?: CheckedBody; errors: FieldError[] } {
  const [field, kind] =
    sent.html === undefined ? (['message_body', 'text'] as const) : (['html', 'html'] as const);
  const source = sent[field];
  if (source === undefined) return { errors: [] };
  const check = checkBodyFirst(work, kind, source);
  if ('body' in check) return { body: check.body, errors: [] };
  return { errors: check.findings.map((finding) => toError(`/${field}`, finding)) };
}

const lineErrors = (sent: DraftPatch): FieldError[] =>
  (['subject', 'preview_text'] as const).flatMap((field) => {
    const finding = findTemplateSyntax(sent[field] ?? '');
    return finding === undefined ? [] : [toError(`/${field}`, finding)];
  });

const toError = (pointer: string, finding: Finding): FieldError => ({
  pointer,
  code: finding.code,
  detail: withPlace(finding),
});

/** The definitions that the body uses, checked again when a field they depend on was sent. */
async function joinVariables(work: Work, before: Draft, sent: DraftPatch, draft: Draft): Promise<Variables> {
  const depends = ['html', 'message_body', 'variables', 'audience', 'channel'] as const;
  if (depends.every((field) => sent[field] === undefined)) return before.variables;
  const { variables, errors } = await acceptVariables(work, sent.variables ?? before.variables, {
    placeholders: draft.body?.placeholders ?? [],
    source: draft.html ?? draft.message_body ?? '',
    channel: draft.channel,
    webinar: draft.audience === 'webinar',
    isLink: (url) => wrongWithLink(url) === undefined,
  });
  if (errors.length > 0) throw invalidRequest(errors);
  return variables;
}

/** The columns of a draft. */
export function toColumns(draft: Draft) {
  const { body, variables, set_aside, ...columns } = draft;
  const source = draft.html ?? draft.message_body;
  return {
    ...columns,
    body: body === null ? null : JSON.stringify(body),
    variables: JSON.stringify(variables),
    set_aside: set_aside === null ? null : JSON.stringify(set_aside),
    content_hash:
      source === null
        ? null
        : createHash('sha256')
            .update(JSON.stringify([draft.subject, source]))
            .digest(),
  };
}
