import { expect, test } from 'vitest';
import { furnishScreens, type Furnished } from './furnish-screens.ts';
import { someScreens, withoutIds } from './screens.ts';
import { expectAccessible, expectNoTrouble, useDashboard } from './visit.ts';

const dashboard = useDashboard();

const otherIds = Object.fromEntries(Object.keys(withoutIds).map((name) => [name, 'x'])) as Furnished;
const ofOne = someScreens.filter(({ path }) => path(withoutIds) !== path(otherIds));

test.each(ofOne)('the screen $name does not find what another organization has', async ({ path }) => {
  const { world, visit } = dashboard();
  const [mine, theirs] = [await world.newOrg(), await world.newOrg()];
  const page = await visit(mine, path(await furnishScreens(theirs)));
  await page.getByText('This is not there').waitFor();
  expect(await page.textContent('body')).not.toMatch(/Lovelace|Can be reached/);
  await expectAccessible(page);
  expectNoTrouble();
  await page.context().close();
});

test.each(someScreens.filter(({ denied }) => denied !== undefined))(
  'a viewer sees on the screen $name what they may not do, with the reason',
  async ({ path, shows, denied }) => {
    const { world, visit } = dashboard();
    const org = await world.newOrg();
    const page = await visit(org, path(await furnishScreens(org)), { role: 'viewer' });
    await shows(page).waitFor();
    const button = page.getByRole('button', { name: denied!.button }).first();
    await button.waitFor();
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    expect(await button.getAttribute('title')).toContain(denied!.because);
    await button.click({ force: true });
    expect(await page.getByRole('dialog').count()).toBe(0);
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page);
    expectNoTrouble();
    await page.context().close();
  },
);
