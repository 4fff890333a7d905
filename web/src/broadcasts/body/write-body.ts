import type { DocumentMark, DocumentNode } from './document.ts';
import { sameMark, tidyInline } from './tidy-inline.ts';

/** A document as the HTML that is stored and sent. */
export const writeBody = ({ content = [] }: DocumentNode): string => content.map(block).join('');

function block(node: DocumentNode): string {
  const content = node.content ?? [];
  switch (node.type) {
    case 'paragraph':
      return `<p>${inline(content) || '<br>'}</p>`;
    case 'heading': {
      const name = `h${Number(node.attrs?.['level'])}`;
      return `<${name}>${inline(content) || '<br>'}</${name}>`;
    }
    case 'bulletList':
      return `<ul>${content.map(block).join('')}</ul>`;
    case 'orderedList':
      return `<ol>${content.map(block).join('')}</ol>`;
    case 'listItem':
      return `<li>${item(content)}</li>`;
    case 'horizontalRule':
      return '<hr>';
    default:
      throw new Error(`A body has no ${node.type}.`);
  }
}

/** An item of one paragraph needs no <p>, and lists below it may follow its bare text. */
function item([first, ...rest]: readonly DocumentNode[]): string {
  if (first?.type === 'paragraph' && !rest.some(({ type }) => type === 'paragraph'))
    return inline(first.content ?? []) + rest.map(block).join('');
  return [...(first === undefined ? [] : [first]), ...rest].map(block).join('');
}

const tags: Readonly<Record<string, string>> = { link: 'a', bold: 'strong', italic: 'em' };

function inline(nodes: readonly DocumentNode[]): string {
  let html = '';
  const open: DocumentMark[] = [];
  const closeTo = (depth: number): void => {
    while (open.length > depth) html += `</${tags[open.pop()!.type]}>`;
  };
  for (const node of tidyInline(nodes)) {
    const marks = node.marks ?? [];
    const shared = marks.findIndex(
      (mark, place) => open[place] === undefined || !sameMark(mark, open[place]),
    );
    closeTo(shared === -1 ? marks.length : shared);
    for (const mark of marks.slice(open.length)) {
      html += `<${tags[mark.type]}${attributesOf(mark)}>`;
      open.push(mark);
    }
    html += leaf(node);
  }
  closeTo(0);
  return html;
}

function leaf({ type, text, attrs = {} }: DocumentNode): string {
  switch (type) {
    case 'text':
      return escaped(text ?? '');
    case 'variable':
      return `{{${String(attrs['name'])}}}`;
    case 'hardBreak':
      return '<br>';
    case 'image':
      return `<img${attribute('src', attrs['src'])}${attribute('alt', attrs['alt'])}${attribute('width', attrs['width'])}${attribute('height', attrs['height'])}${attribute('title', attrs['title'])}>`;
    default:
      throw new Error(`A line has no ${type}.`);
  }
}

const attributesOf = ({ type, attrs = {} }: DocumentMark): string =>
  type === 'link'
    ? attribute('class', attrs['isButton'] === true ? 'button' : null) +
      attribute('href', attrs['href']) +
      attribute('title', attrs['title'])
    : '';

const attribute = (name: string, value: unknown): string =>
  typeof value === 'string' || typeof value === 'number'
    ? ` ${name}="${escaped(String(value)).replaceAll('"', '&quot;')}"`
    : '';

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\u00a0', '&nbsp;');
