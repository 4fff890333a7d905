import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectNoTrouble, useDashboard } from './visit.ts';

const dashboard = useDashboard();
type Press = NonNullable<Parameters<Locator['click']>[0]>;

test('a row is followed in place, by Enter too, and back closes it', async () => {
  const org = await dashboard().world.newOrg();
  await org.person({ email: 'grace@example.com', first_name: 'Grace' });
  const page = await dashboard().visit(org, '/people?sort=first_name');
  await page.evaluate('window.isSame = true');
  const row = page.locator('[data-row]');
  await row.click();
  await page.waitForURL(/\?sort=first_name&person=/);
  expect(await row.getAttribute('aria-current')).toBe('page');
  await page.goBack();
  await page.waitForURL(/\?sort=first_name$/);
  await row.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/&person=/);
  expect(await page.evaluate('window.isSame')).toBe(true);
  expectNoTrouble();
});

test('a row is opened in a tab of its own as any link is', async () => {
  const org = await dashboard().world.newOrg();
  await org.person({ email: 'grace@example.com', first_name: 'Grace' });
  const page = await dashboard().visit(org, '/people');
  const row = page.locator('[data-row]');
  for (const press of [{ button: 'middle' }, { modifiers: ['ControlOrMeta'] }] satisfies Press[]) {
    const [tab] = await Promise.all([page.context().waitForEvent('page'), row.click(press)]);
    await tab.waitForURL(/\/people\?person=/);
    await tab.getByRole('heading', { name: 'Grace' }).waitFor();
    await tab.close();
  }
  expect(page.url()).not.toContain('person=');
  expectNoTrouble();
});
