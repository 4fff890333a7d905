import { setImmediate } from 'node:timers/promises';
import type { Work } from '../../../database/work.ts';
import type { FieldError } from '../../../kernel/failure.ts';
import { wrongWithLink } from '../../../kernel/link.ts';
import { acceptVariables } from '../../content/variables/accept-variables.ts';
import type { CheckedBody, Finding } from '../../content/body/body.ts';
import { checkBodyFirst } from '../../content/body/check-body.ts';
import { findTemplateSyntax } from '../../content/body/check-line.ts';
import type { Sources } from '../../content/variables/sources.ts';
import type { SentVariables, Variables } from '../../content/variables/definition.ts';
import { withPlace } from '../../content/body/findings.ts';
import type { Judged } from './node-type.ts';

/** A message as a node of a draft has it. */
export interface SentMessage {
  readonly channel: 'email' | 'sms';
  /** The field that has the body. */
  readonly bodyField: string;
  readonly source: string | undefined;
  /** Fields that are sent as they are and take no variables. */
  readonly lines: Readonly<Record<string, string | undefined>>;
  readonly variables: SentVariables | undefined;
}

/** The result of accepting a message. Its body is compiled only then. */
export interface AcceptedMessage {
  readonly body: CheckedBody | null;
  readonly variables: Variables;
}

interface Setting {
  /** Whether there is a webinar to read from. */
  readonly webinar: boolean;
  readonly sources: () => Promise<Sources>;
  /** The message that the draft has now. */
  readonly before: { readonly source: string | undefined; readonly body: CheckedBody | null } | undefined;
}

/** Checks a node's message as a broadcast's draft is checked: body and variables together. */
export async function acceptMessage(
  work: Work,
  { channel, bodyField, source, lines, variables: sent }: SentMessage,
  { webinar, sources, before }: Setting,
): Promise<Judged<AcceptedMessage>> {
  const lineErrors = findLineErrors(lines);
  if (source === undefined) return { accepted: { body: null, variables: {} }, errors: lineErrors };
  // An unchanged body was checked before.
  const known = before?.source === source ? before.body : null;
  const check = known === null ? await checkInTurn(work, channel, source) : { body: known };
  if ('findings' in check)
    return { errors: [...lineErrors, ...check.findings.map((finding) => toError(bodyField, finding))] };
  const { variables, errors } = await acceptVariables(work, sent ?? {}, {
    placeholders: check.body.placeholders,
    source,
    channel,
    webinar,
    sources,
    isLink: (url) => wrongWithLink(url) === undefined,
  });
  return { accepted: { body: check.body, variables }, errors: [...lineErrors, ...errors] };
}

/** Yields before each body, so that a hundred nodes do not block other requests. */
async function checkInTurn(work: Work, channel: SentMessage['channel'], source: string) {
  await setImmediate();
  return checkBodyFirst(work, channel === 'email' ? 'html' : 'text', source);
}

const findLineErrors = (lines: SentMessage['lines']): FieldError[] =>
  Object.entries(lines).flatMap(([field, line]) => {
    const finding = findTemplateSyntax(line ?? '');
    return finding === undefined ? [] : [toError(field, finding)];
  });

const toError = (field: string, finding: Finding): FieldError => ({
  pointer: `/${field}`,
  code: finding.code,
  detail: withPlace(finding),
});
