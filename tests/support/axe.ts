import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Only what is wrong is asked for; what is right costs as much again. */
const look = `axe
  .run({ preload: false, resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } })
  .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map((n) => n.html).join(' ')))`;

/** What axe finds wrong with a page as it stands, one line for each kind. The rule of WCAG 2.2 is off by itself. */
export async function axeFindings(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe.source);
  return page.evaluate(look);
}
