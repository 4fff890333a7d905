import { beforeAll, expect, test } from 'vitest';
import { heightOf } from '../support/browser.ts';
import type { TestOrg } from '../support/test-org.ts';
import { isLong } from '../support/volume.ts';
import { furnishScreens, type Furnished } from './furnish-screens.ts';
import type { Screen } from './screens.ts';
import { expectAccessible, expectNoTrouble, useDashboard } from './visit.ts';

const looks = [
  { width: 1440, theme: 'light' },
  { width: 390, theme: 'dark' },
  { width: 1440, theme: 'dark' },
  { width: 390, theme: 'light' },
  { width: 1000, theme: 'light' },
] as const;

/** What reaches past the right edge, if the page can be scrolled there; what scrolls in itself is left out. */
const tooWide = `(() => {
  if (document.documentElement.scrollWidth <= innerWidth) return [];
  const scrolls = (one) => one !== null && (getComputedStyle(one).overflowX !== 'visible' || scrolls(one.parentElement));
  return [...document.querySelectorAll('body *')]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !scrolls(one.parentElement))
    .slice(0, 5)
    .map((one) => one.tagName + '.' + one.getAttribute('class'));
})()`;

/** Looks at screens in a real browser, as a test for each. */
export function lookAt(screens: readonly Screen[]): void {
  const dashboard = useDashboard();
  let org: TestOrg;
  let ids: Furnished;
  beforeAll(async () => {
    org = await dashboard().world.newOrg();
    ids = await furnishScreens(org);
  });

  test.each(screens)(
    'axe finds nothing on the screen $name, nothing is against the policy or too wide',
    async (screen) => {
      const { path, shows } = screen;
      const page = await dashboard().visit(org, path(ids));
      await shows(page).waitFor();
      // By turns wide and light, or as on a phone in the dark: both have the same colours on every screen.
      const turn = screens.indexOf(screen) % 2;
      for (const { width, theme } of isLong ? looks : looks.slice(turn, turn + 1)) {
        await page.setViewportSize({ width, height: heightOf(width) });
        await page.emulateMedia({ colorScheme: theme });
        await shows(page).waitFor();
        await expectAccessible(page);
      }
      for (const width of [320, 390, 719, 721]) {
        await page.setViewportSize({ width, height: heightOf(width) });
        expect(await page.evaluate(tooWide), `${width} wide`).toEqual([]);
      }
      expectNoTrouble();
    },
  );
}
