import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { csv, expectAccessibleInBoth, goods, press } from './importing.ts';
import { expectNoTrouble, useDashboard } from './visit.ts';

const dashboard = useDashboard({ engine: true });

/** Goes on by Tab until what has the focus is called so. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(
      `(({ ariaLabel, textContent, parentElement, type }) => ariaLabel ?? (type === 'radio' ? parentElement.textContent : textContent))(document.activeElement)`,
    );
    if (name.test(String(focused))) return;
  }
  throw new Error(`Tab does not reach ${name}`);
}

test('the whole way by keyboard alone', async () => {
  const org = await dashboard().world.newOrg();
  await org.person({ email: 'grace@example.com' });
  await org.person({ phone: '+447700900999' });
  const page = await dashboard().visit(org, '/imports');
  await page.getByText('No imports yet').waitFor();
  await tabTo(page, /^Import a file$/);
  await page.keyboard.press('Enter');
  await page.getByText('Drop a CSV file here').waitFor();
  // Asked for before Tab: the key goes another way to the page, and may be there before what catches the chooser.
  const opened = page.waitForEvent('filechooser');
  await tabTo(page, /^Choose a file$/);
  await page.keyboard.press('Enter');
  const chooser = await opened;
  const buffer = csv(...goods, 'bad,Bad,,,', 'grace@example.com,,+44 7700 900999,,');
  await chooser.setFiles({ name: 'list.csv', mimeType: 'text/csv', buffer });
  await page.getByText('22 rows, 5 columns').waitFor();
  await tabTo(page, /^What Plan becomes$/);
  await page.keyboard.type('Make');
  await tabTo(page, /^Check 22 rows$/);
  await page.keyboard.press('Enter');
  await page.getByText('1 row does not fit').waitFor();
  await tabTo(page, /^Mend row 21$/);
  await page.keyboard.press('Enter');
  await page.locator('input:focus').waitFor(); // whoever types before it is there types into nothing
  await page.keyboard.press('Control+a');
  await page.keyboard.type('mended@example.com');
  await page.keyboard.press('Enter');
  await page.getByText('Every row fits').waitFor();
  await tabTo(page, /^Preview 22 rows$/);
  await page.keyboard.press('Enter');
  await page.getByText('1 row points at two or more people').waitFor();
  await tabTo(page, /Stop here/);
  await page.keyboard.press('ArrowDown');
  await page.getByRole('button', { name: 'Import 21 rows' }).waitFor();
  await tabTo(page, /^Import 21 rows$/);
  await page.keyboard.press('Enter');
  await page.getByText('What came of it').waitFor();
  expectNoTrouble();
});

test('who may only read sees imports, and why none can be made; who may not even read is told', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const page = await visit(org, '/imports/new', { role: 'viewer' });
  await page.getByText('Needs people.write').first().waitFor();
  expect(await page.getByRole('button', { name: 'Choose a file' }).getAttribute('aria-disabled')).toBe(
    'true',
  );
  await expectAccessibleInBoth(page);
  await page.route('**/v1/imports', (route) =>
    route.fulfill({
      status: 403,
      json: { status: 403, code: 'forbidden', detail: 'This needs people.read.', request_id: '' },
    }),
  );
  await page.goto(page.url().replace('/new', ''));
  await page.getByText('You may not see imports').waitFor();
});

test('a service that fails is told as such, and an import of others is not there', async () => {
  const { world, visit } = dashboard();
  const [org, others] = [await world.newOrg(), await world.newOrg()];
  const { body } = await others.rest('POST /v1/imports', { name: 'Secret list', columns: ['E-mail'] });
  const page = await visit(org, `/imports/${body.import_id}`);
  await page.getByText('This is not there').waitFor();
  await expectAccessibleInBoth(page);
  await world.admin.query('alter table imports rename to imports_away');
  try {
    await page.goto(page.url().replace(/imports.*/, 'imports'));
    await page.getByRole('alert').getByText('Imports could not be read').waitFor();
    await expectAccessibleInBoth(page);
  } finally {
    await world.admin.query('alter table imports_away rename to imports');
  }
  await press(page, 'Try again');
  await page.getByText('No imports yet').waitFor();
});
