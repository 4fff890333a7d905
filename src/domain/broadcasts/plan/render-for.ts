import { SegmentedMessage } from 'sms-segments-calculator';
import type { Work } from '../../../database/work.ts';
import type { PersonId } from '../../../kernel/ids.ts';
import type { Variables } from '../../content/variables/definition.ts';
import { readValues } from '../../content/variables/read-values.ts';
import { builtInSource } from '../../content/variables/sources.ts';
import { textOfCopy } from '../../content/body/copy.ts';
import { renderHtml } from '../../content/body/render-body.ts';
import { isForLinks } from '../../content/body/template-syntax.ts';
import { trackLinks } from '../../content/body/track-links.ts';
import type { PlanInputs } from './plan-inputs.ts';
import { writeLetter, writeText } from './write-letter.ts';

/** A broadcast as one person gets it. */
export interface Rendered {
  readonly subject: string | null;
  /** The body with this person's values, without the layout around it. */
  readonly body: string;
  /** The whole message: for an email the HTML page in its layout, for a text the text. */
  readonly message: string;
  readonly text: string;
  readonly bytes: number;
  /** How many texts it takes; 0 for an email. */
  readonly segments: number;
}

/** A stand-in as long as the real link; it leads nowhere. */
const unsubscribe = `https://unsubscribe.invalid/${'-'.repeat(120)}`;

/** An id that no person has: it renders the fallbacks while the audience has no reachable person. */
export const nobody = '00000000-0000-0000-0000-000000000000' as PersonId;

/**
 * A draft can read any value of any person: a caller without people.read must not learn it from a plan or a preview.
 */
export const mayReadPeople = ({ caller }: Work): boolean => caller.permissions.has('people.read');

/**
 * Renders the message for a person; if no person may be shown, with fallbacks, or with examples where those are
 * missing.
 */
export async function renderFor(
  work: Work,
  inputs: PlanInputs,
  person: PersonId | undefined,
  at: Date,
): Promise<Rendered | undefined> {
  const { draft, webinar, zone } = inputs;
  if (draft.body === null) return undefined;
  const isShown = mayReadPeople(work);
  const reader = isShown && person !== undefined ? person : nobody;
  const values = await readValues(work, [reader], draft.variables, webinar, { now: at, zone });
  const own = values.get(reader) ?? new Map<string, string>();
  if (!isShown) fillInExamples(own, draft.variables);
  if (draft.channel === 'sms') {
    const text = writeText(inputs, own);
    return {
      subject: null,
      body: text,
      message: text,
      text,
      bytes: Buffer.byteLength(text),
      segments: new SegmentedMessage(text).segmentsCount,
    };
  }
  const tracked = trackLinks(draft.body.pieces).pieces;
  const letter = writeLetter({ ...inputs, tracked }, own, { unsubscribe });
  const message = textOfCopy(letter.html);
  return {
    subject: draft.subject,
    body: renderHtml(tracked, own),
    message,
    text: textOfCopy(letter.text),
    bytes: Buffer.byteLength(message),
    segments: 0,
  };
}

/** Fills in examples where not even a fallback exists. */
export function fillInExamples(own: Map<string, string>, variables: Variables): void {
  for (const [name, { variable }] of Object.entries(variables)) {
    if (own.get(name) || isForLinks(name)) continue;
    own.set(name, builtInSource(variable)?.example ?? '');
  }
}
