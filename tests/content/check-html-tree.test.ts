import { expect, test } from 'vitest';
import { checkTree } from '../../src/domain/content/body/check-html.ts';
import type { Placed } from '../../src/domain/content/body/open-elements.ts';

const p = { name: 'p', offset: 0, depth: 0 };

test.each<[what: string, body: string, seen: Placed[], column: number]>([
  ['an element nobody saw', '<p>x</p><div>y</div>', [p], 9],
  ['an element that is not there', '<p>x</p>', [p, { name: 'em', offset: 3, depth: 1 }], 4],
  ['an element of another name', '<image>', [{ name: 'image', offset: 0, depth: 0 }], 1],
  ['an element elsewhere', '<p><ul></ul></p>', [p, { name: 'ul', offset: 3, depth: 1 }], 4],
  ['an element from nowhere', '</p>', [], 1],
  [
    'an element moved out',
    '<table><p>x</p></table>',
    [
      { name: 'table', offset: 0, depth: 0 },
      { ...p, offset: 7, depth: 1 },
    ],
    1,
  ],
])('the tree is held against the tags: %s is refused', (_, body, elements, column) => {
  expect(checkTree(body, elements)).toMatchObject({ findings: [{ code: 'nesting', line: 1, column }] });
});

test('what agrees is accepted', () => {
  expect(checkTree('<p>x</p>', [p])).toHaveProperty('body.pieces', ['<p>x</p>']);
});
