import type { Compiled, Piece } from './body.ts';
import { marksOf } from './template-syntax.ts';

/** Puts pieces together, neighbouring texts into one. */
export class Pieces {
  readonly #pieces: Piece[] = [];

  get any(): boolean {
    return this.#pieces.length > 0;
  }

  add(piece: Piece): void {
    const last = this.#pieces.at(-1);
    if (piece === '') return;
    if (typeof piece === 'string' && typeof last === 'string')
      this.#pieces[this.#pieces.length - 1] = last + piece;
    else this.#pieces.push(piece);
  }

  list(): Compiled {
    return this.#pieces;
  }
}

/** Checked text, cut at its placeholders; `asLiteral` makes what is between safe where it goes. */
export function cutAtPlaceholders(text: string, asLiteral = (between: string): string => between): Compiled {
  // Most of the thousands of texts contain no placeholder.
  if (!text.includes('{{')) return [asLiteral(text)];
  const pieces: Piece[] = [];
  let from = 0;
  for (const { at, end, name } of marksOf(text)) {
    if (name === undefined) continue;
    pieces.push(asLiteral(text.slice(from, at)), { text: name });
    from = end;
  }
  return [...pieces, asLiteral(text.slice(from))];
}

/** The names in the pieces, each once, in order of appearance. */
export function placeholdersOf(pieces: Compiled): readonly string[] {
  const names = pieces.flatMap((piece) => {
    if (typeof piece === 'string') return [];
    return 'text' in piece ? piece.text : piece.link;
  });
  return [...new Set(names)];
}
