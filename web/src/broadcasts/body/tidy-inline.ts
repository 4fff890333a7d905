import { placeholder, type DocumentMark, type DocumentNode } from './document.ts';

const order = ['link', 'bold', 'italic'];

/**
 * The content of one block as it is written and read: placeholders as nodes of their own, blanks as a reader sees them
 * (one between words, none at the ends of a line), marks in one order, neighbours that look alike joined.
 */
export function tidyInline(nodes: readonly DocumentNode[]): readonly DocumentNode[] {
  const line: DocumentNode[] = [];
  let isAfterGap = true;
  for (const node of nodes.flatMap(cut)) {
    if (node.type === 'hardBreak') trimEnd(line);
    const text: string | undefined = node.text === undefined ? undefined : collapsed(node.text, isAfterGap);
    if (text === '') continue;
    isAfterGap = node.type === 'hardBreak' || (text?.endsWith(' ') ?? false);
    add(line, text === undefined ? node : { ...node, text });
  }
  trimEnd(line);
  return line;
}

function collapsed(text: string, isAfterGap: boolean): string {
  const one = text.replaceAll(/[ \t\n\r\f]+/g, ' ');
  return isAfterGap && one.startsWith(' ') ? one.slice(1) : one;
}

function cut(node: DocumentNode): readonly DocumentNode[] {
  const tidy = { ...node, marks: inOrder(node.marks ?? []) };
  if (node.text === undefined) return [tidy];
  const pieces: DocumentNode[] = [];
  let end = 0;
  const addText = (until: number): void => {
    const text = node.text!.slice(end, until);
    if (text !== '') pieces.push({ ...tidy, text });
  };
  for (const found of node.text.matchAll(placeholder)) {
    addText(found.index);
    pieces.push({ type: 'variable', attrs: { name: found[1] }, marks: tidy.marks });
    end = found.index + found[0].length;
  }
  addText(node.text.length);
  return pieces;
}

const inOrder = (marks: readonly DocumentMark[]): readonly DocumentMark[] =>
  order.flatMap((type) => marks.find((mark) => mark.type === type) ?? []);

function add(line: DocumentNode[], node: DocumentNode): void {
  const last = line.at(-1);
  if (node.text !== undefined && last?.text !== undefined && sameMarks(last, node))
    line[line.length - 1] = { ...last, text: last.text + node.text };
  else line.push(node);
}

export const sameMark = (one: DocumentMark, other: DocumentMark): boolean =>
  one.type === other.type &&
  ['href', 'title', 'isButton'].every(
    (name) => (one.attrs?.[name] ?? null) === (other.attrs?.[name] ?? null),
  );

const sameMarks = ({ marks: one = [] }: DocumentNode, { marks: other = [] }: DocumentNode): boolean =>
  one.length === other.length && one.every((mark, place) => sameMark(mark, other[place]!));

function trimEnd(line: DocumentNode[]): void {
  const last = line.at(-1);
  if (last?.text?.endsWith(' ') !== true) return;
  line.pop();
  const text = last.text.slice(0, -1);
  if (text !== '') line.push({ ...last, text });
}
