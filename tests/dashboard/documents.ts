import fc from 'fast-check';
import { parseFragment, type DefaultTreeAdapterTypes as Parsed } from 'parse5';
import type { DocumentMark, DocumentNode } from '../../web/src/broadcasts/body/document.ts';
import type { Tree } from '../../web/src/broadcasts/body/read-body.ts';

/** HTML as a browser would parse it, without one. */
export const parse = (html: string): readonly Tree[] => treesOf(parseFragment(html));

const treesOf = ({ childNodes }: Parsed.ParentNode): readonly Tree[] =>
  childNodes.flatMap((node): readonly Tree[] => {
    if ('value' in node) return [node.value];
    if (!('tagName' in node)) return [];
    const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
    return [{ name: node.tagName, attributes, children: treesOf(node) }];
  });

const words = fc.string({
  unit: fc.constantFrom(
    ...Array.from('aÄß中🙂\u00a0\u200f\u0301 \n\t&<>"\'{}$%;#'),
    'nbsp',
    '&amp;',
    '<b>',
    '{{var_typed}}',
  ),
  minLength: 1,
  maxLength: 12,
});
/** Another engine's template syntax is refused by the service, so nothing is round about it. */
const text = words.filter(
  (word) => !/[{}%]/.test(word.replaceAll('{{var_typed}}', '')) && !/\}\}\{|\{\{\{/.test(word),
);
const names = fc.constantFrom('var_a', 'var_first_name', 'var_B-2', 'var_x_y');

const link: fc.Arbitrary<DocumentMark> = fc.record({
  type: fc.constant('link'),
  attrs: fc.record({
    href: fc.constantFrom(
      'https://example.com/?a=1&b=2',
      'http://example.com/%22',
      'mailto:hello@example.com?subject=Hi',
      'tel:+15550100',
      '{{link_var_join}}',
    ),
    title: fc.option(fc.constantFrom('', 'A "title" & <more>')),
    isButton: fc.boolean(),
  }),
});
const marks = fc
  .tuple(fc.option(link), fc.boolean(), fc.boolean())
  .map(([linked, isBold, isItalic]): readonly DocumentMark[] => [
    ...(isItalic ? [{ type: 'italic' }] : []),
    ...(linked === null ? [] : [linked]),
    ...(isBold ? [{ type: 'bold' }] : []),
  ]);

const image = fc.record({
  src: fc.constantFrom('https://example.com/a.png', 'https://example.com/b.png?x=1&y=2'),
  alt: fc.option(fc.constantFrom('', 'A "boat" & <sea>')),
  title: fc.option(fc.constantFrom('Calm')),
  width: fc.option(fc.integer({ min: 1, max: 2000 })),
  height: fc.option(fc.integer({ min: 1, max: 2000 })),
});
const leaf: fc.Arbitrary<DocumentNode> = fc.oneof(
  { weight: 5, arbitrary: text.map((one) => ({ type: 'text', text: one })) },
  { weight: 2, arbitrary: names.map((name) => ({ type: 'variable', attrs: { name } })) },
  { weight: 1, arbitrary: fc.constant({ type: 'hardBreak' }) },
  { weight: 1, arbitrary: image.map((attrs) => ({ type: 'image', attrs })) },
);
const line = fc.array(
  fc.tuple(leaf, marks).map(([node, worn]) => ({ ...node, marks: worn })),
  { maxLength: 5 },
);

const paragraph = line.map((content): DocumentNode => ({ type: 'paragraph', content }));
const heading = fc
  .tuple(line, fc.integer({ min: 1, max: 3 }))
  .map(([content, level]): DocumentNode => ({ type: 'heading', attrs: { level }, content }));
const rule = fc.constant<DocumentNode>({ type: 'horizontalRule' });

const { block } = fc.letrec<{ block: DocumentNode; list: DocumentNode; item: DocumentNode }>((tie) => ({
  block: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 4, arbitrary: paragraph },
    { weight: 2, arbitrary: heading },
    { weight: 1, arbitrary: rule },
    { weight: 2, arbitrary: tie('list') },
  ),
  list: fc
    .tuple(
      fc.constantFrom('bulletList', 'orderedList'),
      fc.array(tie('item'), { minLength: 1, maxLength: 3 }),
    )
    .map(([type, content]) => ({ type, content })),
  item: fc
    .tuple(fc.oneof(paragraph, heading), fc.array(tie('block'), { maxLength: 2 }))
    .map(([first, rest]) => ({ type: 'listItem', content: [first, ...rest] })),
}));

/** Any document that the editor can hold. */
export const documents: fc.Arbitrary<DocumentNode> = fc
  .array(block, { minLength: 1, maxLength: 6 })
  .map((content) => ({ type: 'doc', content }));
