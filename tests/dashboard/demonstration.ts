import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { ensureDemonstration } from '../../src/main/demonstration.ts';
import { keyring } from '../../src/main/keys.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import { forgetSession, type Dashboard } from './visit.ts';

/** Signs in to the demonstration by its link, as the guides say, up to Home. */
export async function enterDemonstration({ world, url, enter }: Dashboard): Promise<Page> {
  const { config, database, clock } = world;
  const parts = { keys: keyring(config), mail: mailSettings(config) };
  const { link } = await ensureDemonstration(database, parts, clock.now());
  const page = await enter(await world.newOrg());
  await forgetSession(page, url);
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/account$/);
  await page.getByRole('link', { name: /Demonstration/ }).click();
  await page.getByText('in the next 7 days').waitFor();
  return page;
}

/** Moves the clock of the demonstration from the top bar, by seconds. */
export async function goForward(page: Page, by: string): Promise<void> {
  const shown = async (): Promise<number> =>
    Date.parse((await page.locator('.clock time').getAttribute('datetime')) ?? '');
  const before = await shown();
  await page.getByRole('button', { name: /move the test clock/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Move the test clock?' });
  await dialog.getByLabel('Forward by').selectOption(by);
  await dialog.getByRole('button', { name: 'Move the clock' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await expect.poll(shown).toBeGreaterThan(before + Number(by) * 900);
}
