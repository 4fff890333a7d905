import { getSchema, Mark, Node, type Extensions } from '@tiptap/core';
import { Bold } from '@tiptap/extension-bold';
import { Document } from '@tiptap/extension-document';
import { HardBreak } from '@tiptap/extension-hard-break';
import { Heading } from '@tiptap/extension-heading';
import { HorizontalRule } from '@tiptap/extension-horizontal-rule';
import { Italic } from '@tiptap/extension-italic';
import { BulletList, ListItem, ListKeymap, OrderedList } from '@tiptap/extension-list';
import { Paragraph } from '@tiptap/extension-paragraph';
import { Text } from '@tiptap/extension-text';

const Link = Mark.create({
  name: 'link',
  inclusive: false,
  addAttributes: () => ({ href: { default: null }, title: { default: null }, isButton: { default: false } }),
  renderHTML: ({ mark }) => [
    'a',
    { href: mark.attrs['href'], class: mark.attrs['isButton'] ? 'button' : null },
    0,
  ],
});

const Image = Node.create({
  name: 'image',
  group: 'inline',
  inline: true,
  draggable: true,
  addAttributes: () => ({
    src: { default: null },
    alt: { default: null },
    title: { default: null },
    width: { default: null },
    height: { default: null },
  }),
  renderHTML: ({ node }) => ['img', { ...node.attrs, alt: node.attrs['alt'] ?? '' }],
});

const Variable = Node.create({
  name: 'variable',
  group: 'inline',
  inline: true,
  atom: true,
  draggable: true,
  addAttributes: () => ({ name: { default: null } }),
  renderHTML: ({ node }) => [
    'span',
    { 'data-var': node.attrs['name'], class: 'chip' },
    String(node.attrs['name']),
  ],
  renderText: ({ node }) => `{{${String(node.attrs['name'])}}}`,
});

/** Exactly what a body may hold. What is pasted is read by read-body.ts, so nothing here says how to parse. */
export const bodyExtensions: Extensions = [
  Document,
  Paragraph,
  Text,
  Heading.configure({ levels: [1, 2, 3] }),
  Bold,
  Italic,
  HardBreak,
  HorizontalRule,
  BulletList,
  OrderedList,
  ListItem.extend({ content: '(paragraph | heading) block*' }),
  ListKeymap,
  Link,
  Image,
  Variable,
];

export const bodySchema = getSchema(bodyExtensions);
