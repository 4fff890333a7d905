import { expect, test } from 'vitest';
import fc from 'fast-check';
import { findHostileText, nestsDeeper } from '../../src/kernel/hostile-text.ts';
import { nestsTextDeeper } from '../../src/kernel/nesting.ts';
import { measured } from '../support/measured.ts';

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

/** The least of some tries: a busy machine can only add to it. */
function leastMs(act: () => unknown): number {
  const taken = Array.from({ length: 30 }, () => {
    const began = performance.now();
    act();
    return performance.now() - began;
  });
  return Math.min(...taken);
}

const longRows = JSON.stringify({
  rows: Array.from({ length: 500 }, (_, n) => ({ email: `p${n}@example.net`, company: 'x'.repeat(1_900) })),
});

test('counting how deep a long body nests takes less than parsing it', measured, () => {
  expect(leastMs(() => nestsTextDeeper(longRows, 100))).toBeLessThan(leastMs(() => JSON.parse(longRows)));
});

test('looking for hostile text in many short ones takes less than parsing them', measured, () => {
  const rows = Array.from({ length: 20_000 }, (_, n) => ({ email: `p${n}@example.net`, seats: String(n) }));
  const text = JSON.stringify(rows);
  expect(leastMs(() => findHostileText(rows))).toBeLessThan(leastMs(() => JSON.parse(text)));
});
