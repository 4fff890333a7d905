import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import type { Compiled, Piece } from './body.ts';
import { linkAsText } from '../../../kernel/link.ts';
import { cutAtPlaceholders, Pieces } from './pieces.ts';
import { linkPlaceholder } from './template-syntax.ts';

const blanks = /[\t\n\f\r ]+/g;

/** The text of one block, blanks run together as a browser shows them. */
export class PlainLine {
  readonly #pieces = new Pieces();
  /** A pending blank or line break, written only between two pieces of text. */
  #between = '';

  addNode(node: Tree.ChildNode): void {
    if (node.nodeName === '#text') {
      this.#addText((node as Tree.TextNode).value);
    } else if (node.nodeName === 'br') {
      this.#between = this.#between === ' ' ? '\n' : `${this.#between}\n`;
    } else if (node.nodeName === 'img') {
      this.#addLiteral(attribute(node as Tree.Element, 'alt'));
    } else if (node.nodeName === 'a') {
      this.#addLink(node as Tree.Element);
    } else {
      for (const child of (node as Tree.Element).childNodes) this.addNode(child);
    }
  }

  list(): Compiled {
    return this.#pieces.list();
  }

  #addText(text: string): void {
    for (const piece of cutAtPlaceholders(text)) {
      if (typeof piece === 'string') this.#addLiteral(piece);
      else this.#addPiece(piece);
    }
  }

  #addLiteral(text: string): void {
    for (const [index, word] of text.split(blanks).entries()) {
      if (index > 0) this.#between ||= ' ';
      if (word !== '') this.#addPiece(word);
    }
  }

  #addPiece(piece: Piece): void {
    if (this.#pieces.any) this.#pieces.add(this.#between);
    this.#pieces.add(piece);
    this.#between = '';
  }

  /** `text (address)`, or the address alone where the text says no more than that. */
  #addLink(link: Tree.Element): void {
    const href = attribute(link, 'href');
    const name = linkPlaceholder(href);
    const address = linkAsText(href);
    const text = new PlainLine();
    for (const child of link.childNodes) text.addNode(child);
    const [first, second] = text.list();
    if (first === undefined) {
      this.#addPiece(name === undefined ? address : { link: name });
      return;
    }
    const saysNoMore = second === undefined && (first === href || first === address);
    for (const child of link.childNodes) this.addNode(child);
    // A placeholder's piece brings its own blank and brackets, so that nothing is left when it has no value.
    if (name !== undefined) this.#pieces.add({ link: name });
    else if (!saysNoMore) this.#pieces.add(` (${address})`);
  }
}

const attribute = (element: Tree.Element, name: string): string =>
  element.attrs.find((one) => one.name === name)?.value ?? '';
