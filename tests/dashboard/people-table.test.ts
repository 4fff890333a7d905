import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { TestOrg } from '../support/test-org.ts';
import { expectAccessible, expectNoTrouble, useDashboard } from './visit.ts';

const dashboard = useDashboard();

async function orgWith(count: number): Promise<TestOrg> {
  const org = await dashboard().world.newOrg();
  for (let n = 0; n < count; n += 1)
    await org.person({ email: `person${n}@example.com`, first_name: `P${n}`, last_name: 'Example' });
  return org;
}

test('the table tells health, engagement and last opening, and columns are chosen', async () => {
  const { world, visit } = dashboard();
  const org = await orgWith(2);
  await world.admin.query(
    `update people set health_band = 'healthy', engagement = log(2, 8) + extract(epoch from now()) / (30 * 86400),
       last_opened_at = now() where org_id = $1 and first_name = 'P0'`,
    [org.id],
  );
  const page = await visit(org, '/people?sort=first_name&order=asc');
  const first = page.locator('tbody tr').first();
  await first.getByText('healthy').waitFor();
  expect(await first.textContent()).toMatch(/50.*Today/);
  expect(await page.locator('tbody tr').last().textContent()).toContain('Never');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Lifetime value' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Health' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('columnheader', { name: 'Lifetime value' }).waitFor();
  expect(await page.getByRole('columnheader', { name: 'Health' }).count()).toBe(0);
  await page.reload();
  await page.getByRole('columnheader', { name: 'Lifetime value' }).waitFor();
  expectNoTrouble();
});

test('a view is saved for every member, opened, changed, and deleted with undo', async () => {
  const { visit } = dashboard();
  const org = await orgWith(2);
  const page = await visit(org, '/people?email=person1@example.com&sort=mrr');
  await page.getByText('1 person').waitFor();
  await page.getByRole('button', { name: 'Save this view' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save this view?' });
  await dialog.getByLabel('Name').fill('The second');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'The second' }).waitFor();
  await page.waitForURL(/view=/);
  const other = await visit(org, '/people', { role: 'viewer' });
  await other.getByText('2 people').waitFor();
  await other.getByRole('link', { name: 'The second' }).click();
  await other.getByText('1 person').waitFor();
  expect(await other.getByRole('button', { name: 'Save this view' }).getAttribute('aria-disabled')).toBe(
    'true',
  );
  await page.getByRole('button', { name: /Remove the filter/ }).click();
  await page.getByText('2 people').waitFor();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('The second shows this now').waitFor();
  await page.getByRole('button', { name: 'More for The second' }).click();
  await page.getByRole('menuitem', { name: 'Delete this view' }).click();
  await page.getByText('View “The second” deleted').waitFor();
  expect(await page.getByRole('link', { name: 'The second' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: 'The second' }).waitFor();
  expectNoTrouble();
});

test('some are chosen, opted out together, and opted in again by undo', async () => {
  const { visit } = dashboard();
  const org = await orgWith(3);
  const page = await visit(org, '/people?sort=first_name&order=asc');
  await page.getByRole('checkbox', { name: 'Choose P0 Example' }).check();
  await page.getByRole('checkbox', { name: 'Choose P2 Example' }).check();
  await page.getByText('2 chosen').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Opt out of email' }).click();
  await page.getByText('2 people opted out of email').waitFor();
  const { body } = await org.rest('GET /v1/people?sort=first_name&order=asc');
  const isOut = (): Promise<boolean[]> =>
    Promise.all(
      body.people.map(
        async ({ id }: { id: string }) =>
          (await org.rest(`GET /v1/people/${id}/opt-outs`)).body.opt_outs.email_opt_out,
      ),
    );
  expect(await isOut()).toEqual([true, false, true]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(isOut).toEqual([false, false, false]);
  const viewer = await visit(org, '/people', { role: 'viewer' });
  await viewer.getByRole('checkbox', { name: 'Choose everybody on this page' }).check();
  const button = viewer.getByRole('button', { name: 'Opt out of email' });
  expect(await button.getAttribute('title')).toContain('people.write');
  await viewer.getByRole('button', { name: 'Clear' }).click();
  await viewer.getByPlaceholder('Email, phone or id').waitFor();
  expectNoTrouble();
});

test('what is filtered is exported as a file, and becomes a segment', async () => {
  const { visit } = dashboard();
  const org = await orgWith(3);
  const page = await visit(org, '/people?email=person2@example.com');
  await page.getByText('1 person').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('people.csv');
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('person2@example.com');
  await page.getByRole('link', { name: 'Save as segment' }).click();
  await page.getByRole('heading', { name: 'A new segment' }).waitFor();
  await page.getByLabel('Name').fill('The third');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForURL(/segments\/[0-9a-f-]{36}/);
  const { body } = await org.rest('GET /v1/segments?limit=1');
  expect(body.segments[0]).toMatchObject({
    name: 'The third',
    filters: [{ property: 'primary_email', op: 'eq', value: 'person2@example.com' }],
  });
  await page.goto(page.url().replace(/segments.*/, 'people?identified=true'));
  const cannot = page.getByRole('button', { name: 'Save as segment' });
  await cannot.waitFor();
  expect(await cannot.getAttribute('title')).toContain('identified');
  expectNoTrouble();
});

test('an export that breaks off says so and saves nothing', async () => {
  const { world, visit } = dashboard();
  const org = await orgWith(1);
  const page = await visit(org, '/people');
  await page.getByText('1 person').waitFor();
  await world.admin.query('alter table audit_log rename to audit_log_away');
  try {
    await page.getByRole('button', { name: 'Export' }).click();
    const dialog = page.getByRole('dialog', { name: 'The export broke off' });
    await dialog.waitFor();
    expect(await dialog.textContent()).toMatch(/[0-9a-f-]{36}/);
  } finally {
    await world.admin.query('alter table audit_log_away rename to audit_log');
  }
});
