import { beforeAll, expect, test } from 'vitest';
import type { TestOrg } from '../support/test-org.ts';
import { isLong } from '../support/volume.ts';
import { furnishScreens, type Furnished } from './furnish-screens.ts';
import { fewScreens, withoutIds } from './screens.ts';
import { expectAccessible, expectNoTrouble, useDashboard } from './visit.ts';

const dashboard = useDashboard();
let org: TestOrg;
let ids: Furnished;
beforeAll(async () => {
  org = await dashboard().world.newOrg();
  ids = await furnishScreens(org);
});

const otherIds = Object.fromEntries(Object.keys(withoutIds).map((name) => [name, 'x'])) as Furnished;
const ofOne = fewScreens('segment', 'webinar').filter(({ path }) => path(withoutIds) !== path(otherIds));

test.each(ofOne)('the screen $name does not find what another organization has', async ({ path }) => {
  const { world, visit } = dashboard();
  const page = await visit(await world.newOrg(), path(ids));
  await page.getByText('This is not there').waitFor();
  expect(await page.textContent('body')).not.toMatch(/Lovelace|Can be reached/);
  await expectAccessible(page);
  expectNoTrouble();
});

test.each(fewScreens('segment', 'settings-keys').filter(({ denied }) => denied !== undefined))(
  'a viewer sees on the screen $name what they may not do, with the reason',
  async ({ path, shows, denied }) => {
    const page = await dashboard().visit(org, path(ids), { role: 'viewer' });
    await shows(page).waitFor();
    const button = page.getByRole('button', { name: denied!.button }).first();
    await button.waitFor();
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    expect(await button.getAttribute('title')).toContain(denied!.because);
    await button.click({ force: true });
    expect(await page.getByRole('dialog').count()).toBe(0);
    await expectAccessible(page);
    expectNoTrouble();
    if (!isLong) return;
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page);
  },
);
