import { SegmentedMessage } from 'sms-segments-calculator';
import type { Work } from '../../database/work.ts';
import type { PersonId } from '../../kernel/ids.ts';
import { wrapHtml, wrapText } from '../content/layout.ts';
import { readValues } from '../content/read-values.ts';
import { renderHtml, renderText } from '../content/render-body.ts';
import type { PlanInputs } from './plan-inputs.ts';

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

/** As long as the link that a message will carry. Whoever follows it arrives nowhere. */
const unsubscribeUrl = `https://unsubscribe.invalid/${'-'.repeat(120)}`;

/** Whose fallbacks stand for everybody's while nobody would get it: no person has this id. */
const nobody = '00000000-0000-0000-0000-000000000000' as PersonId;

export async function renderFor(
  work: Work,
  { draft, webinar, layout, zone }: PlanInputs,
  person: PersonId | undefined,
  at: Date,
): Promise<Rendered | undefined> {
  if (draft.body === null) return undefined;
  const reader = person ?? nobody;
  const values = await readValues(work, [reader], draft.variables, webinar, { now: at, zone });
  const own = values.get(reader) ?? new Map<string, string>();
  const { pieces, plain } = draft.body;
  if (draft.channel === 'sms') {
    const text = renderText(pieces, own);
    return {
      subject: null,
      body: text,
      message: text,
      text,
      bytes: Buffer.byteLength(text),
      segments: new SegmentedMessage(text).segmentsCount,
    };
  }
  const body = renderHtml(pieces, own);
  const message = wrapHtml(layout, {
    subject: draft.subject ?? '',
    previewText: draft.preview_text ?? '',
    body,
    unsubscribeUrl,
  });
  return {
    subject: draft.subject,
    body,
    message,
    text: wrapText(layout, { body: renderText(plain, own), unsubscribeUrl }),
    bytes: Buffer.byteLength(message),
    segments: 0,
  };
}
