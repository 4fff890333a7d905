import { expect, test } from 'vitest';
import { checkHtml } from '../../src/domain/content/body/check-html.ts';
import { renderHtml } from '../../src/domain/content/body/render-body.ts';
import { Random } from '../segments/random.ts';
import { isLong, seed } from '../support/volume.ts';
import { allBad, allGood } from './bodies.ts';
import { hostileValues } from './hostile-values.ts';
import { judgeInBrowser } from './in-browser.ts';
import { mutateBody } from './mutate-bodies.ts';

const howMany = isLong ? 20_000 : 600;
const values = hostileValues.filter((value) => value.length < 1_000);

test('BOD-002 BOD-016 BOD-018 BOD-019 of thousands of mutated bodies, whatever is accepted and filled with hostile values is harmless to a browser', async () => {
  const random = new Random(seed + 2);
  const bad = allBad.filter((body) => body.length < 2_000);
  const rendered: string[] = [];
  for (let count = 0; count < howMany; count++) {
    const check = checkHtml(mutateBody(random, allGood, bad));
    if (!('body' in check)) continue;
    const chosen = new Map(check.body.placeholders.map((name) => [name, random.pick(values)]));
    rendered.push(renderHtml(check.body.pieces, chosen));
  }
  expect(rendered.length, `seed ${seed}`).toBeGreaterThan(howMany * 0.15);
  const found = await judgeInBrowser(rendered);
  expect(
    found.map(([at, wrong]) => [wrong, rendered[at]]),
    `seed ${seed}`,
  ).toEqual([]);
});

test('the browser finds what must not be there', async () => {
  const planted = [
    '<p>fine</p>',
    '<script>1</script>',
    '<p onclick="x">y</p>',
    '<a href="java\nscript:alert(1)">x</a>',
    '<a href=" javascript:alert(1)">x</a>',
    '<img src="http://a.co/x.png">',
    '<a href="https://bank.com@evil.com/">x</a>',
    '<!-- x -->',
    '<p>x</p></td></tr></table><div>y</div>',
    '<svg><p>x</p></svg>',
  ];
  const found = await judgeInBrowser(planted);
  expect(found.map(([at]) => at)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});
