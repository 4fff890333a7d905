import { parseFragment } from 'parse5';
import type { Findings } from './findings.ts';
import { findUnsendable } from './limits.ts';
import { isForLinks, marksOf, notAPlaceholder } from './template-syntax.ts';

/**
 * The text of one block as it reads, with character references resolved and across `em`, `strong` and `a`: a
 * placeholder may hide in references or be cut up by tags, and the findings still have to say where it stands.
 */
export class TextRun {
  readonly #source: string;
  readonly #findings: Findings;
  readonly #lengths = new Map<string, number>();
  #text = '';
  /** Where in the run, and where in the source, the text after each tag begins. */
  #parts: { readonly at: number; readonly offset: number }[] = [];

  constructor(source: string, findings: Findings) {
    this.#source = source;
    this.#findings = findings;
  }

  /** `tagEnd`: where in the source the tag before this text ends. */
  add(text: string, tagEnd: number): void {
    if (this.#parts.at(-1)?.offset !== tagEnd) this.#parts.push({ at: this.#text.length, offset: tagEnd });
    this.#text += text;
  }

  end(): void {
    if (this.#text === '') return;
    this.#check();
    this.#text = '';
    this.#parts = [];
  }

  #check(): void {
    const parts = this.#parts;
    let part = 0;
    let wrong = 0;
    for (const { at, end, text, name } of marksOf(this.#text)) {
      while (part + 1 < parts.length && parts[part + 1]!.at <= at) part++;
      const isSplit = part + 1 < parts.length && parts[part + 1]!.at < end;
      const fault = isSplit ? split(text) : faultOf(text, name);
      if (fault === undefined) continue;
      this.#findings.add(this.#placeOf(at, parts[part]!), ...fault);
      // Only the first 20 findings by place are kept: none further on in this run can be among them, and looking up
      // places is the expensive part.
      if (++wrong === 20) return;
    }
    // Only a character reference can have produced one: the source was already searched for literal ones.
    const at = findUnsendable(this.#text);
    if (at >= 0) {
      const place = this.#placeOf(
        at,
        parts.findLast((one) => one.at <= at)!,
      );
      this.#findings.add(place, 'control_character', 'This stands for a control character. Remove it.');
    }
  }

  /** The offset in the source of a position in the run. */
  #placeOf(position: number, { at, offset }: { at: number; offset: number }): number {
    let place = offset;
    for (let left = position - at; left > 0;) {
      const [raw, resolved] = this.#unitAt(place);
      if (resolved > left) break;
      place += raw;
      left -= resolved;
    }
    return place;
  }

  /** How many units of the source produce how many of the text here. */
  #unitAt(offset: number): readonly [raw: number, resolved: number] {
    const source = this.#source;
    if (source.startsWith('\r\n', offset)) return [2, 1];
    if (source.startsWith('</>', offset)) return [3, 0];
    if (source[offset] !== '&') return [1, 1];
    reference.lastIndex = offset;
    const found = reference.exec(source)?.[0];
    return found === undefined ? [1, 1] : [found.length, this.#lengthOf(found)];
  }

  #lengthOf(found: string): number {
    const known = this.#lengths.get(found) ?? resolve(found).length;
    this.#lengths.set(found, known);
    return known;
  }
}

type Fault = readonly [code: string, detail: string];

const split = (text: string): Fault => [
  'placeholder_split',
  `${text} is cut up by a tag. Write it in one piece, with tags around it.`,
];

function faultOf(text: string, name: string | undefined): Fault | undefined {
  if (name === undefined) return ['template_syntax', notAPlaceholder(text)];
  return isForLinks(name)
    ? ['placeholder_place', `${text} stands for the whole href of a link. In text, write {{var_<id>}}.`]
    : undefined;
}

const reference = /&(?:#(?:x[0-9a-f]+|[0-9]+)|[a-z][a-z0-9]*);?/iy;

function resolve(found: string): string {
  const [node] = parseFragment(found).childNodes;
  return node !== undefined && 'value' in node ? node.value : found;
}
