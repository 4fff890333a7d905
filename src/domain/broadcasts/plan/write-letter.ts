import type { Piece, TrackedPiece, TrackedPieces } from '../../content/body/body.ts';
import { cutAtSlots, wholeCopy, type Copy, type Cut } from '../../content/body/copy.ts';
import { escapeValue } from '../../content/body/escape.ts';
import { pageOf, underText, wrapText, type UrlSlot } from '../../content/body/layout.ts';
import { htmlOf, plainOf, renderText } from '../../content/body/render-body.ts';
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
  /** The HTML page: the body in its layout. */
  readonly html: Copy;
  /** The same as plain text. */
  readonly text: Copy;
}

type Values = ReadonlyMap<string, string>;

/** A letter before it is anybody's. `text` is undefined if nothing of it can be fixed. */
interface Form {
  readonly isTracked: boolean;
  readonly html: Cut<Exclude<TrackedPiece, string> | UrlSlot>;
  readonly text: Cut<Exclude<Piece, string> | UrlSlot> | undefined;
}

const forms = new WeakMap<LetterParts, Form>();

/**
 * Previews, plans and sends all write an email here, so what is shown is what is sent. Copies of the same parts share
 * what is fixed in them.
 */
export function writeLetter(parts: LetterParts, values: Values, urls: LetterUrls): Letter {
  const { html, text } = formOf(parts, urls.open !== undefined);
  const { draft, layout } = parts;
  return {
    subject: draft.subject ?? '',
    html: {
      fixed: html.fixed,
      own: html.slots.map((slot) =>
        'url' in slot ? escapeValue(urls[slot.url] ?? '') : htmlOf(slot, values, urls.click),
      ),
    },
    text:
      text === undefined
        ? wholeCopy(
            wrapText(layout, {
              body: renderText(draft.body?.plain ?? [], values),
              unsubscribeUrl: urls.unsubscribe,
            }),
          )
        : { fixed: text.fixed, own: fillText(text, values, urls.unsubscribe) },
  };
}

function formOf(parts: LetterParts, isTracked: boolean): Form {
  const known = forms.get(parts);
  if (known?.isTracked === isTracked) return known;
  const { draft, layout, tracked } = parts;
  const head = { subject: draft.subject ?? '', previewText: draft.preview_text ?? '' };
  const page = pageOf(layout, { ...head, body: tracked, has: { open: isTracked, trap: isTracked } });
  const form = { isTracked, html: cutAtSlots(page), text: formOfText(parts) };
  forms.set(parts, form);
  return form;
}

/** The end of a text is trimmed, so one that ends with a value is not known before the value is. */
function formOfText({ draft, layout }: LetterParts): Form['text'] {
  const plain = draft.body?.plain ?? [];
  const end = plain.at(-1);
  if (typeof end !== 'string' || end.trimEnd() === '') return undefined;
  return cutAtSlots<Exclude<Piece, string> | UrlSlot>([
    ...plain.slice(0, -1),
    end.trimEnd() + underText(layout),
    { url: 'unsubscribe' },
    '\n',
  ]);
}

function fillText(
  { fixed, slots }: NonNullable<Form['text']>,
  values: Values,
  unsubscribe: string,
): string[] {
  let before = fixed[0]!;
  return slots.map((slot, n) => {
    const own = 'url' in slot ? unsubscribe : plainOf(slot, values, before);
    before = fixed[n + 1]! || own || before;
    return own;
  });
}

/** A text message as one person gets it. */
export const writeText = ({ draft }: Pick<PlanInputs, 'draft'>, values: Values): string =>
  renderText(draft.body?.pieces ?? [], values);
