import type { TrackedPieces } from '../../content/body/body.ts';
import { wrapHtml, wrapText } from '../../content/body/layout.ts';
import { renderHtml, renderText } from '../../content/body/render-body.ts';
import type { PlanInputs } from './plan-inputs.ts';

/** The parts that all copies of an email share. `tracked` is its body with numbered links. */
interface LetterParts extends Pick<PlanInputs, 'draft' | 'layout'> {
  readonly tracked: TrackedPieces;
}

/** The URLs of one copy. A preview has no picture and no trap, and keeps the original links. */
interface LetterUrls {
  readonly unsubscribe: string;
  readonly open?: string;
  readonly trap?: string;
  readonly click?: (link: number) => string;
}

/** An email as one person gets it. */
interface Letter {
  readonly subject: string;
  /** The body with this person's values, without the layout around it. */
  readonly body: string;
  /** The HTML page: the body in its layout. */
  readonly html: string;
  /** The same as plain text. */
  readonly text: string;
}

/** Previews, plans and sends all render an email here, so what is shown is what is sent. */
export function writeLetter(
  { draft, layout, tracked }: LetterParts,
  values: ReadonlyMap<string, string>,
  { unsubscribe: unsubscribeUrl, open, trap, click }: LetterUrls,
): Letter {
  const subject = draft.subject ?? '';
  const previewText = draft.preview_text ?? '';
  const body = renderHtml(tracked, values, click);
  const plain = renderText(draft.body?.plain ?? [], values);
  return {
    subject,
    body,
    html: wrapHtml(layout, { subject, previewText, body, unsubscribeUrl, openUrl: open, trapUrl: trap }),
    text: wrapText(layout, { body: plain, unsubscribeUrl }),
  };
}

/** A text message as one person gets it. */
export const writeText = (
  { draft }: Pick<PlanInputs, 'draft'>,
  values: ReadonlyMap<string, string>,
): string => renderText(draft.body?.pieces ?? [], values);
