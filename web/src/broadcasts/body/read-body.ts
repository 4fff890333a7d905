import type { DocumentMark, DocumentNode } from './document.ts';
import { readImage, readLink, readVariable } from './read-inline.ts';
import { tidyInline } from './tidy-inline.ts';

/** A parsed piece of HTML: a text, or an element. */
export type Tree = string | Element;
interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Tree[];
}

export interface Read {
  readonly document: DocumentNode;
  /** What the language of bodies has no place for, by name. Of what the service accepted, nothing. */
  readonly lost: readonly string[];
}

const headings: Readonly<Record<string, number>> = { h1: 1, h2: 2, h3: 3, h4: 3, h5: 3, h6: 3 };
const lists: Readonly<Record<string, string>> = { ul: 'bulletList', ol: 'orderedList' };
const marks: Readonly<Record<string, string>> = { strong: 'bold', b: 'bold', em: 'italic', i: 'italic' };
const blocks = new Set(
  'address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form header hgroup html legend li main menu nav ol p pre search section summary table tbody td tfoot th thead tr ul hr h1 h2 h3 h4 h5 h6'.split(
    ' ',
  ),
);
/** Gone with all that is in them. */
const removed = new Set(
  'applet area audio base button canvas embed frame frameset head iframe input link map math meta noembed noframes noscript object option param picture plaintext script select source style svg template textarea title track video xmp'.split(
    ' ',
  ),
);
/** Carry nothing that a reader would miss. */
const plain = new Set('a body div font html li o:p p section span tbody td tfoot th thead tr'.split(' '));

/** HTML as a document: that of the service as it is, that of strangers as far as bodies have a place for it. */
export function readBody(trees: readonly Tree[]): Read {
  const lost = new Set<string>();
  const content = new Reader(lost).blocks(trees, []);
  return {
    document: { type: 'doc', content: content.length === 0 ? [{ type: 'paragraph' }] : content },
    lost: [...lost].toSorted(),
  };
}

class Reader {
  readonly #lost: Set<string>;

  constructor(lost: Set<string>) {
    this.#lost = lost;
  }

  blocks(trees: readonly Tree[], around: readonly DocumentMark[]): DocumentNode[] {
    const found: DocumentNode[] = [];
    let line: DocumentNode[] = [];
    const endLine = (): void => {
      const content = tidyInline(line);
      if (content.length > 0) found.push({ type: 'paragraph', content });
      line = [];
    };
    for (const tree of trees) {
      if (typeof tree !== 'string' && hasBlocks(tree)) {
        endLine();
        found.push(...this.#block(tree, around));
      } else line.push(...this.#inline(tree, around));
    }
    endLine();
    return found;
  }

  #block(element: Element, around: readonly DocumentMark[]): DocumentNode[] {
    const { name, children } = element;
    const level = headings[name];
    if (
      (name === 'p' || level !== undefined) &&
      !children.some((child) => isElement(child) && hasBlocks(child))
    ) {
      if (level !== undefined && Number(name[1]) > 3) this.#lost.add(name);
      const isEmptyLine = children.length === 1 && isElement(children[0]!) && children[0].name === 'br';
      const content = isEmptyLine ? [] : tidyInline(children.flatMap((child) => this.#inline(child, around)));
      return [
        {
          ...(level === undefined ? { type: 'paragraph' } : { type: 'heading', attrs: { level } }),
          ...(content.length > 0 && { content }),
        },
      ];
    }
    if (name === 'hr') return [{ type: 'horizontalRule' }];
    if (lists[name] !== undefined) return this.#list(lists[name], children, around);
    this.#note(name);
    return this.blocks(children, this.#marked(element, around));
  }

  #list(type: string, children: readonly Tree[], around: readonly DocumentMark[]): DocumentNode[] {
    const content = children
      .filter((child) => isElement(child) || child.trim() !== '')
      .map((child) => {
        const inside = isElement(child) && child.name === 'li' ? child.children : [child];
        const found = this.blocks(inside, around);
        const isLed = found[0]?.type === 'paragraph' || found[0]?.type === 'heading';
        return { type: 'listItem', content: isLed ? found : [{ type: 'paragraph' }, ...found] };
      });
    return content.length === 0 ? [] : [{ type, content }];
  }

  #inline(tree: Tree, around: readonly DocumentMark[]): DocumentNode[] {
    if (!isElement(tree)) return this.#text(tree, around);
    const { name, attributes, children } = tree;
    if (removed.has(name)) {
      this.#lost.add(name);
      return [];
    }
    const marksHere = around.length === 0 ? {} : { marks: around };
    if (name === 'br') return [{ type: 'hardBreak', ...marksHere }];
    if (name === 'img') {
      const attrs = readImage(attributes);
      if (attrs === undefined) this.#lost.add(name);
      return attrs === undefined ? [] : [{ type: 'image', attrs, ...marksHere }];
    }
    const variable = readVariable(name, attributes);
    if (variable !== undefined) return [{ type: 'variable', attrs: { name: variable }, ...marksHere }];
    this.#note(name);
    const within = this.#marked(tree, around);
    return children.flatMap((child) => this.#inline(child, within));
  }

  #text(text: string, around: readonly DocumentMark[]): DocumentNode[] {
    const sendable = text.replaceAll(unsendable, '');
    return sendable === ''
      ? []
      : [{ type: 'text', text: sendable, ...(around.length > 0 && { marks: around }) }];
  }

  #marked({ name, attributes }: Element, around: readonly DocumentMark[]): readonly DocumentMark[] {
    if (name === 'a') {
      const attrs = readLink(attributes);
      if (attrs === undefined) this.#lost.add('a');
      return attrs === undefined
        ? around
        : [...around.filter(({ type }) => type !== 'link'), { type: 'link', attrs }];
    }
    // Word processors wrap what they copy in a <b> that is none.
    const type = /font-weight:\s*(normal|400)/.test(attributes['style'] ?? '') ? undefined : marks[name];
    return type === undefined || around.some((mark) => mark.type === type) ? around : [...around, { type }];
  }

  #note(name: string): void {
    if (!plain.has(name) && marks[name] === undefined) this.#lost.add(name);
  }
}

// Control characters and halves of characters, which no message can hold, save for tabs and line ends.
const unsendable = /[[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\uFEFF]--[\t\n\r]]/gv;

const isElement = (tree: Tree): tree is Element => typeof tree !== 'string';

const hasBlocks = ({ name, children }: Element): boolean =>
  !removed.has(name) && (blocks.has(name) || children.some((child) => isElement(child) && hasBlocks(child)));
