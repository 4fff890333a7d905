import type { Page } from 'playwright-core';
import { expectAccessible, themes } from './visit.ts';

export const header = 'E-mail,First name,Phone,Plan,Subscribed';

/** Rows that fit, as many as the service judges columns by. */
export const goods = Array.from(
  { length: 20 },
  (_, at) => `p${at + 1}@example.com,Ana,+44 7700 900${101 + at},Basic,yes`,
);

export const csv = (...rows: readonly string[]): Buffer => Buffer.from([header, ...rows].join('\n'));

export const choose = (page: Page, name: string, buffer: Buffer): Promise<void> =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer });

export const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name }).click();

/** A file as somebody drops it on the page. */
export async function drop(page: Page, name: string, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}, { type: 'text/csv' }));
    return transfer;
  })()`);
  await page.dispatchEvent('.drop', 'drop', { dataTransfer });
}

export async function toCheck(page: Page, name: string, buffer: Buffer): Promise<void> {
  await choose(page, name, buffer);
  await page.getByRole('heading', { name: 'What each column becomes' }).waitFor();
  await press(page, /^Check /);
  await page.getByText('Adds up').waitFor();
}

/** In both themes, or by the gate in one. */
export async function expectAccessibleInBoth(page: Page): Promise<void> {
  for (const colorScheme of themes) {
    // Without motion, so that no colour is looked at half-way.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expectAccessible(page);
  }
}
