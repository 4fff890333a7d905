import { expect, test } from 'vitest';
import { orgTransaction } from '../../src/database/org-transaction.ts';
import { setAllowance } from '../../src/domain/orgs/allowance.ts';
import type { TestOrg } from '../support/test-org.ts';
import { expectAccessible, expectAccessibleToo, expectNoTrouble, themes, useDashboard } from './visit.ts';

const dashboard = useDashboard();

/** An organization that may send 50,000 emails a month and sent some. */
async function spender(): Promise<TestOrg> {
  const { world } = dashboard();
  const org = await world.newOrg();
  await orgTransaction(world.database, org.id, 'write', (db) => setAllowance(db, org.id, 'email', 50_000));
  await world.admin.query(
    "insert into allowance_uses values ($1, 'email', date_trunc('month', now() at time zone 'UTC'), 21904)",
    [org.id],
  );
  return org;
}

test.each(themes)('the month is told at the foot of the sidebar and on its page, %s', async (theme) => {
  const page = await dashboard().visit(await spender(), '/people', { theme });
  const foot = page.getByRole('link', { name: /^Emails, / });
  await foot.getByText('21,904 of 50k').waitFor();
  await expectAccessibleToo(page);
  await foot.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Usage' }).waitFor();
  const row = page.getByRole('row', { name: /Emails/ });
  await row.getByText('28,096').waitFor();
  await page.getByRole('row', { name: /Texts/ }).getByText('no limit').waitFor();
  await page.getByText('begins anew 1 ').waitFor();
  await expectAccessible(page);
  expectNoTrouble();
});

test('the sidebar asks once for many pages', async () => {
  const page = await dashboard().visit(await spender(), '/people', { role: 'viewer' });
  let asked = 0;
  page.on('request', (request) => (asked += request.url().endsWith('/v1/usage') ? 1 : 0));
  await page.getByText('21,904 of 50k').waitFor();
  for (const name of ['Segments', 'Properties']) await page.getByRole('link', { name }).first().click();
  await page.getByText('There are no properties yet').waitFor();
  expect(asked).toBeLessThanOrEqual(1);
});

test('on a phone nothing scrolls sideways', async () => {
  const page = await dashboard().visit(await spender(), '/settings/usage', { width: 390 });
  await page.getByText('28,096').waitFor();
  await expectAccessibleToo(page);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});

test('a service that fails is told as such, and asked again', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  await world.admin.query('alter table allowances rename to allowances_away');
  const page = await visit(org, '/settings/usage');
  try {
    await page.getByText('The usage could not be read').waitFor();
    await expectAccessibleToo(page);
  } finally {
    await world.admin.query('alter table allowances_away rename to allowances');
  }
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('no limit').first().waitFor();
});
