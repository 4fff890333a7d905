import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inHours } from '../support/broadcast.ts';
import { createWebinar, registerFor } from '../support/webinar.ts';
import { expectAccessible, expectAccessibleToo, expectNoTrouble, useDashboard } from './visit.ts';

const dashboard = useDashboard();

test('registrants are found, leave as a file, and their attendance comes from one or by a switch', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const { id } = await createWebinar(org, { start_time: inHours(2) });
  for (const [first_name, email] of [
    ['Ada', 'ada@example.com'],
    ['Grace', 'grace@example.com'],
  ])
    await registerFor(org, id, { first_name, email });
  await registerFor(org, id, { first_name: 'Phil', phone: '+15555550133' });
  await org.rest('POST /v1/test-clock', { advance: 4 * 3_600 });
  const page = await visit(org, `/webinars/${id}`);
  const rows = page.getByRole('region', { name: 'Registrants' }).locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(3);
  await page.getByRole('switch', { name: 'Phil attended' }).click();
  await page.getByRole('switch', { name: 'Phil attended', checked: true }).waitFor();
  await page.getByLabel('Find a registrant').fill('race');
  await page.keyboard.press('Enter');
  await expect.poll(() => rows.count()).toBe(1);
  await rows.getByText('grace@example.com').waitFor();
  await expectAccessibleToo(page);
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect.poll(() => rows.count()).toBe(3);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  expect(
    readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n').length,
  ).toBe(4);
  await page.getByRole('button', { name: 'Attendance from a file' }).click();
  const dialog = page.getByRole('dialog', { name: 'Attendance from a file' });
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'who.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('E-mail,Came\nada@example.com,yes\nstranger@example.com,yes\nnobody,perhaps\n@,no\n'),
  });
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Record 4 rows' }).click();
  await dialog.getByText('Attendance of 1 person changed').waitFor();
  await dialog.getByText('Row 2, stranger@example.com: nobody by this is registered').waitFor();
  await dialog.getByText('Row 3, nobody: “perhaps” is neither yes nor no').waitFor();
  await dialog.getByText('Row 4, @: this is no email address').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('switch', { name: 'Ada attended', checked: true }).waitFor();
  expectNoTrouble();
});

test("a month shows each webinar on the organization's day, by keyboard and on a phone", async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  await org.rest('PATCH /v1/settings', { timezone: 'Asia/Tokyo' });
  await createWebinar(org, { title: 'Over the edge', start_time: '2031-03-31T15:30:00Z' });
  await createWebinar(org, { title: 'Within', start_time: '2031-03-31T14:30:00Z' });
  const page = await visit(org, '/webinars?month=2031-03');
  const calendar = page.getByRole('region', { name: 'Calendar' });
  const on = (day: string) => calendar.locator('td', { has: page.locator(`time[datetime="${day}"]`) });
  await on('2031-03-31').getByRole('link', { name: '23:30 Within' }).waitFor();
  expect(await calendar.getByText('Over the edge').count()).toBe(0);
  await page.getByRole('button', { name: 'Next month' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/month=2031-04/);
  await on('2031-04-01').getByRole('link', { name: '00:30 Over the edge' }).waitFor();
  await expectAccessibleToo(page);
  const phone = await visit(org, '/webinars?month=2031-04', { width: 390, theme: 'dark' });
  await phone.getByRole('link', { name: '00:30 Over the edge' }).waitFor();
  await expectAccessibleToo(phone);
  expect(await phone.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  await phone.getByRole('link', { name: '00:30 Over the edge' }).click();
  await phone.getByRole('heading', { name: 'Over the edge' }).waitFor();
  expectNoTrouble();
});
