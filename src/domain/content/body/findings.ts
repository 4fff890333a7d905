import type { Finding } from './body.ts';

const mostFindings = 20;

interface Placed {
  readonly offset: number;
  readonly code: string;
  readonly detail: string;
}

/** The errors of one source, by offset. Keeps only the first 20 places. */
export class Findings {
  readonly #source: string;
  #found: Placed[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  get any(): boolean {
    return this.#found.length > 0;
  }

  add(offset: number, code: string, detail: string): void {
    this.#found.push({ offset, code, detail });
    // A body of nothing but mistakes has a quarter of a million findings.
    if (this.#found.length > 50 * mostFindings) this.#found = this.#first();
  }

  list(): readonly Finding[] {
    let line = 1;
    let column = 1;
    let at = 0;
    return this.#first().map(({ offset, code, detail }) => {
      for (; at < offset; at++) {
        if (endsLine(this.#source, at)) {
          line++;
          column = 1;
        } else if (!isSecondHalf(this.#source, at)) {
          column++;
        }
      }
      return { code, detail, line, column };
    });
  }

  /** In order of place, one for each: the first finding about a place causes the others. */
  #first(): Placed[] {
    const inOrder = this.#found.toSorted((one, other) => one.offset - other.offset);
    return inOrder
      .filter(({ offset }, index) => offset !== inOrder[index - 1]?.offset)
      .slice(0, mostFindings);
  }
}

/** A finding as a caller reads it. */
export const withPlace = ({ line, column, detail }: Finding): string =>
  `Line ${line}, column ${column}: ${detail}`;

/** A line ends with LF, CR LF or CR alone, as a browser counts them. */
const endsLine = (source: string, at: number): boolean =>
  source[at] === '\n' || (source[at] === '\r' && source[at + 1] !== '\n');

const isSecondHalf = (source: string, at: number): boolean =>
  at > 0 && source.charCodeAt(at) >> 10 === 0x37 && source.charCodeAt(at - 1) >> 10 === 0x36;

/** The author's text, short enough to quote. */
export const quotable = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text);
