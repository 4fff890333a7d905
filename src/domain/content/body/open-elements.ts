import { isVoid, wrongWithPlace } from './elements.ts';
import { type Findings, quotable } from './findings.ts';

// A list in a list in a list, with text marked up, comes to ten or so. The limit keeps all that walks the tree short.
const mostDepth = 32;

/** An element where its author put it. */
export interface Placed {
  readonly name: string;
  readonly offset: number;
  readonly depth: number;
}

/**
 * The elements that are open, by the author's tags. Two end tags may be left out, as HTML has always allowed: of a
 * paragraph before the next, at the end of its list item or of the body, and of a list item before the next and at the
 * end of its list. A browser moves nothing in these cases; markup that it would move is refused.
 */
export class OpenElements {
  /** Every element that was opened, in order. */
  readonly all: Placed[] = [];
  readonly #findings: Findings;
  readonly #open: Placed[] = [];
  /** How many of each name are open, so that a thousand stray end tags are not each looked for in the whole stack. */
  readonly #counts = new Map<string, number>();
  #tooDeep = false;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  get current(): string | undefined {
    return this.#open.at(-1)?.name;
  }

  open(name: string, offset: number): void {
    if (name === 'p' && this.current === 'p') this.#pop();
    if (name === 'li' && this.current === 'p' && this.#open.at(-2)?.name === 'li') this.#pop();
    if (name === 'li' && this.current === 'li') this.#pop();

    const wrong =
      name === 'a' && this.#count('a') > 0
        ? 'A link cannot stand inside another. Write </a> before it.'
        : wrongWithPlace(name, this.current);
    if (wrong !== undefined) this.#findings.add(offset, 'nesting', wrong);

    const element = { name, offset, depth: this.#open.length };
    this.all.push(element);
    if (isVoid(name)) return;
    this.#open.push(element);
    this.#counts.set(name, this.#count(name) + 1);
    if (this.#open.length > mostDepth && !this.#tooDeep) {
      this.#tooDeep = true;
      const detail = `Elements stand in one another at most ${mostDepth} deep. Is an end tag missing before this?`;
      this.#findings.add(offset, 'nesting', detail);
    }
  }

  close(name: string, offset: number): void {
    if (this.#count(name) === 0) {
      const detail = isVoid(name)
        ? `<${name}> has no end tag. Leave it out.`
        : `</${quotable(name)}> closes nothing that is open. Remove it.`;
      this.#findings.add(offset, 'stray_end_tag', detail);
      return;
    }
    while (this.current !== name) this.#endWithout(`</${name}>`);
    this.#pop();
  }

  /** The end of the body. */
  end(): void {
    while (this.#open.length > 0) this.#endWithout('the end of the body');
  }

  #endWithout(before: string): void {
    const { name, offset } = this.#pop();
    if (name === 'p' || name === 'li') return;
    this.#findings.add(offset, 'unclosed', `<${name}> is not closed before ${before}. Write </${name}>.`);
  }

  #pop(): Placed {
    const element = this.#open.pop()!;
    this.#counts.set(element.name, this.#count(element.name) - 1);
    return element;
  }

  #count(name: string): number {
    return this.#counts.get(name) ?? 0;
  }
}
