import type { Tree } from './read-body.ts';

/** HTML as the browser reads it; nothing in it is run or fetched. */
export const parseHtml = (html: string): readonly Tree[] =>
  treesOf(new DOMParser().parseFromString(`<body>${html}`, 'text/html').body);

const treesOf = (parent: Node): readonly Tree[] =>
  [...parent.childNodes].flatMap((node): readonly Tree[] => {
    if (node instanceof Text) return [node.data];
    if (!(node instanceof Element)) return [];
    const attributes = Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value]));
    return [{ name: node.localName, attributes, children: treesOf(node) }];
  });
