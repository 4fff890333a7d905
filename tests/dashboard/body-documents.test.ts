import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkHtml } from '../../src/domain/content/body/check-html.ts';
import { elementNames, elementOf } from '../../src/domain/content/body/elements.ts';
import { namesIn, type DocumentNode } from '../../web/src/broadcasts/body/document.ts';
import { readBody, type Tree } from '../../web/src/broadcasts/body/read-body.ts';
import { bodySchema } from '../../web/src/broadcasts/body/schema.ts';
import { writeBody } from '../../web/src/broadcasts/body/write-body.ts';
import { allBad, allGood } from '../content/bodies.ts';
import { seed, tries } from '../support/volume.ts';
import { documents, parse } from './documents.ts';

const hold = (document: DocumentNode): void => bodySchema.nodeFromJSON(document).check();
const open = (html: string) => readBody(parse(html));

test(`any document of the editor is written as a body that the service takes, and opens as the same (seed ${seed})`, () => {
  fc.assert(
    fc.property(documents, (made) => {
      hold(made);
      const html = writeBody(made);
      const checked = checkHtml(html);
      expect('findings' in checked ? [html, checked.findings] : []).toEqual([]);
      const { document, lost } = open(html);
      hold(document);
      expect(lost).toEqual([]);
      expect(writeBody(document)).toBe(html);
      expect(namesIn(document)).toEqual('body' in checked ? checked.body.placeholders : undefined);
    }),
    tries(10_000),
  );
});

test('whatever body the service takes opens with nothing lost, and is taken again as it is written', () => {
  expect(allGood.length).toBeGreaterThan(50);
  for (const html of allGood) {
    const { document, lost } = open(html);
    hold(document);
    expect([html, lost]).toEqual([html, []]);
    const again = checkHtml(writeBody(document));
    expect('findings' in again ? [html, again.findings] : []).toEqual([]);
    const before = checkHtml(html);
    const names = 'body' in before ? [...before.body.placeholders] : [];
    expect(namesIn(document).toSorted()).toEqual(names.toSorted());
  }
});

test('what is pasted, however hostile, ends as elements and attributes of the language alone', () => {
  expect(allBad.length).toBeGreaterThan(100);
  for (const html of allBad) {
    const { document } = open(html);
    hold(document);
    const written = writeBody(document);
    for (const { name, attributes } of elementsOf(parse(written))) {
      const told = { html, name, attributes };
      const { href = 'https:', src = 'https:' } = attributes;
      const isAllowed =
        elementNames.includes(name) &&
        Object.keys(attributes).every((one) => elementOf(name)!.attributes.includes(one)) &&
        /^(https?:|mailto:|tel:|\{\{link_var_)/i.test(href) &&
        /^https:/i.test(src);
      expect({ ...told, isAllowed }).toEqual({ ...told, isAllowed: true });
    }
  }
});

test('what was left out of a paste is told, and what a page means by other names is kept', () => {
  const pasted =
    '<b style="font-weight:normal"><h4>Plan</h4><table><tr><td>One <u>two</u></td></tr></table>' +
    '<p><i>Three</i> <a href="javascript:alert(1)">four</a></p></b><script>alert(1)</script>';
  const { document, lost } = open(pasted);
  expect(writeBody(document)).toBe('<h3>Plan</h3><p>One two</p><p><em>Three</em> four</p>');
  expect(lost).toEqual(['a', 'h4', 'script', 'table', 'u']);
});

function* elementsOf(trees: readonly Tree[]): Generator<Exclude<Tree, string>> {
  for (const tree of trees) {
    if (typeof tree === 'string') continue;
    yield tree;
    yield* elementsOf(tree.children);
  }
}
