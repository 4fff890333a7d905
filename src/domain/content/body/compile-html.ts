import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import type { Compiled } from './body.ts';
import { isVoid } from './elements.ts';
import { escapeAttribute, escapeText } from './escape.ts';
import { cutAtPlaceholders, Pieces } from './pieces.ts';
import { linkPlaceholder } from './template-syntax.ts';

/** The HTML to send, written anew from the tree: nothing of the author's markup is passed on as it came. */
export function compileHtml(fragment: Tree.DocumentFragment): Compiled {
  const pieces = new Pieces();
  for (const node of fragment.childNodes) addNode(node, pieces);
  return pieces.list();
}

function addNode(node: Tree.ChildNode, pieces: Pieces): void {
  if (node.nodeName === '#text') {
    const { value } = node as Tree.TextNode;
    for (const piece of cutAtPlaceholders(value, escapeText)) pieces.add(piece);
    return;
  }
  const { tagName, attrs, childNodes } = node as Tree.Element;
  pieces.add(`<${tagName}`);
  for (const { name, value } of attrs) {
    const link = linkPlaceholder(value);
    pieces.add(name === 'href' && link !== undefined ? { link } : ` ${name}="${escapeAttribute(value)}"`);
  }
  pieces.add('>');
  if (isVoid(tagName)) return;
  for (const child of childNodes) addNode(child, pieces);
  pieces.add(`</${tagName}>`);
}
