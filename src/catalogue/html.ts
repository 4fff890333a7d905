import { escapeValue } from '../domain/content/body/escape.ts';

/** Markup that may stand in a page as it is. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | undefined | false | readonly Html[];

/** Writes markup. Whatever is put into it is text, unless it was written by this too. */
export const html = (pieces: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(pieces.map((piece, at) => piece + textOf(parts[at])).join(''));

function textOf(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'string' || typeof part === 'number') return escapeValue(String(part));
  return part.map(({ text }) => text).join('');
}
