import { expect, test } from 'vitest';
import fc from 'fast-check';
import { nestsDeeper } from '../../src/kernel/hostile-text.ts';
import { nestsTextDeeper } from '../../src/kernel/nesting.ts';

test('a text nests as deep as what it is parsed to', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8 }), fc.integer({ min: 0, max: 9 }), (text, than) => {
      expect(nestsTextDeeper(text, than)).toBe(nestsDeeper(JSON.parse(text), than));
    }),
  );
});

test('brackets in strings are text, and an escaped quotation mark ends none', () => {
  expect(nestsTextDeeper(JSON.stringify('[[[['.repeat(50)), 0)).toBe(false);
  expect(nestsTextDeeper(String.raw`["\"[[[[", "\\", {"]]": "[["}]`, 2)).toBe(false);
  expect(nestsTextDeeper(`${'['.repeat(500_000)}`, 100)).toBe(true);
});
