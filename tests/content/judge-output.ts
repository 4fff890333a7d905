import { type DefaultTreeAdapterTypes as Tree, parse, parseFragment, serialize } from 'parse5';

// Written apart from the checker: nothing of it is used here.
const attributesOf: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries('p h1 h2 h3 strong em ul ol li hr br'.split(' ').map((name) => [name, []])),
  a: ['href', 'title', 'class'],
  img: ['src', 'alt', 'width', 'height', 'title'],
};

/**
 * What a browser would find in HTML that was made for it and must not be there, or undefined. The HTML is parsed by the
 * standard's algorithm in three places: by itself, as a page, and within the table cell of a mail's layout.
 */
export function wrongWithOutput(html: string): string | undefined {
  const alone = parseFragment(html);
  const page = parse(`<!doctype html><html><head></head><body>${html}</body></html>`);
  const mail = parse(
    `<!doctype html><body><table><tbody><tr><td>${html}</td></tr></tbody></table><p>after</p>`,
  );
  const body = within(page, 'body');
  const cell = within(mail, 'td');
  const inMail = within(mail, 'body').childNodes.map(({ nodeName }) => nodeName);
  if (inMail.join() !== 'table,p') return `it broke out of the layout: ${inMail.join()}`;
  const expected = JSON.stringify(outline(alone));
  for (const tree of [body, cell, parseFragment(serialize(alone))]) {
    if (JSON.stringify(outline(tree)) !== expected) return 'it is another tree elsewhere';
  }
  return wrongIn(alone);
}

function wrongIn(parent: Tree.ParentNode): string | undefined {
  for (const node of parent.childNodes) {
    if (node.nodeName === '#text') continue;
    if (!('tagName' in node)) return `a ${node.nodeName}`;
    const allowed = Object.hasOwn(attributesOf, node.tagName) ? attributesOf[node.tagName] : undefined;
    if (allowed === undefined || !node.namespaceURI.endsWith('xhtml')) return `the element ${node.tagName}`;
    for (const { name, value } of node.attrs) {
      if (!allowed.includes(name)) return `the attribute ${name}`;
      if (name === 'href' && !isSafe(value, ['https:', 'http:', 'mailto:', 'tel:']))
        return `the link ${value}`;
      if (name === 'src' && !isSafe(value, ['https:'])) return `the image ${value}`;
    }
    const wrong = wrongIn(node);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** As a browser reads an address: it drops blanks around it and line ends within. */
function isSafe(value: string, protocols: readonly string[]): boolean {
  const url = URL.parse(value.replace(/[\t\n\r]/g, '').trim());
  if (url === null || !protocols.includes(url.protocol)) return false;
  return url.username === '' && url.password === '' && !value.includes('\\');
}

type Outline = string | readonly [name: string, attributes: string, children: readonly Outline[]];

/** A tree as plain data, to be compared. */
export function outline(parent: Tree.ParentNode): readonly Outline[] {
  return parent.childNodes.map((node) => {
    if (node.nodeName === '#text') return (node as Tree.TextNode).value;
    if (!('tagName' in node)) return `a ${node.nodeName}`;
    return [node.tagName, node.attrs.map(({ name, value }) => `${name}=${value}`).join('\n'), outline(node)];
  });
}

/** The first element of that name. */
function within(tree: Tree.ParentNode, wanted: string): Tree.Element {
  const left: Tree.ChildNode[] = [...tree.childNodes];
  for (let node = left.shift(); node !== undefined; node = left.shift()) {
    if (!('tagName' in node)) continue;
    if (node.tagName === wanted) return node;
    left.unshift(...node.childNodes);
  }
  throw new Error(`There is no ${wanted}.`);
}
