import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import type { Compiled, Piece } from './body.ts';
import { elementOf } from './elements.ts';
import { PlainLine } from './plain-line.ts';
import { Pieces } from './pieces.ts';

const rule = '-'.repeat(20);

/** A block of plain text. `close`: no blank line before it, as a list within a list item has none. */
interface Block {
  readonly pieces: Compiled;
  readonly close: boolean;
}

/** The body for those who read plain text: blocks parted by blank lines, list items with their signs. */
export function compilePlain(fragment: Tree.DocumentFragment): Compiled {
  return join(blocksOf(fragment.childNodes));
}

function blocksOf(nodes: readonly Tree.ChildNode[], inItem = false): readonly Block[] {
  const blocks: Block[] = [];
  let line = new PlainLine();
  const endLine = (): void => {
    const pieces = line.list();
    if (pieces.length > 0) blocks.push({ pieces, close: false });
    line = new PlainLine();
  };
  for (const node of nodes) {
    if (!('tagName' in node) || elementOf(node.tagName)?.kind === 'inline') {
      line.addNode(node);
      continue;
    }
    endLine();
    if (node.tagName === 'hr') {
      blocks.push({ pieces: [rule], close: false });
    } else if (node.tagName === 'ul' || node.tagName === 'ol') {
      const pieces = join(itemsOf(node));
      if (pieces.length > 0) blocks.push({ pieces, close: inItem });
    } else {
      for (const child of node.childNodes) line.addNode(child);
      endLine();
    }
  }
  endLine();
  return blocks;
}

function itemsOf(list: Tree.Element): readonly Block[] {
  const items = list.childNodes.filter((node): node is Tree.Element => 'tagName' in node);
  return items.map((item, index) => {
    const sign = list.tagName === 'ol' ? `${index + 1}. ` : '- ';
    const pieces = [sign, ...indent(join(blocksOf(item.childNodes, true)), ' '.repeat(sign.length))];
    return { pieces, close: true };
  });
}

/** Every line but the first begins further in, under the text after the sign. Blank lines stay empty. */
const indent = (pieces: Compiled, by: string): readonly Piece[] =>
  pieces.map((piece) => (typeof piece === 'string' ? piece.replace(/\n(?!\n)/g, `\n${by}`) : piece));

function join(blocks: readonly Block[]): Compiled {
  const pieces = new Pieces();
  for (const [index, block] of blocks.entries()) {
    if (index > 0) pieces.add(block.close ? '\n' : '\n\n');
    for (const piece of block.pieces) pieces.add(piece);
  }
  return pieces.list();
}
