import { expect, test } from 'vitest';
import { expectAccessible, expectAccessibleToo, expectNoTrouble, useDashboard } from './visit.ts';

const dashboard = useDashboard();

test('a segment is made while its count is told, opened again, deleted, and made anew by undo', async () => {
  const org = await dashboard().world.newOrg();
  for (const [place, first_name] of ['Ada', 'Adam', 'Grace'].entries())
    await org.rest('POST /v1/people/identify', { email: `person${place}@example.com`, first_name });
  const page = await dashboard().visit(org, '/segments');
  await page.getByRole('link', { name: 'Make a segment' }).click();
  await page.getByLabel('Field of condition 1').selectOption('first_name');
  await page.getByLabel('Comparison of condition 1').selectOption('contains');
  await page.getByLabel('Value of condition 1').fill('Ada');
  const members = page.getByRole('complementary', { name: 'Who is in it' });
  await members.getByText('2', { exact: true }).waitFor();
  await page.getByLabel('Name').fill('Called Ada');
  await expectAccessibleToo(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await members.getByRole('link', { name: 'See everybody in it' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Called Ada' }).waitFor();
  await page.getByRole('button', { name: 'Delete this segment' }).click();
  await page.waitForURL(/\/segments$/);
  await expect.poll(() => page.getByRole('link', { name: /Called Ada/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: /Called Ada/ }).waitFor();
  expectNoTrouble();
});

test('what is wrong with a condition stands at that condition, in the words of the service', async () => {
  const org = await dashboard().world.newOrg();
  const page = await dashboard().visit(org, '/segments/new');
  await page.getByLabel('Field of condition 1').selectOption('created_at');
  await page.getByLabel('Value of condition 1').fill('some day');
  await page.getByRole('alert').getByText('Must be a date').waitFor();
});

test('a segment of the service is shown with its conditions, locked, with the reason', async () => {
  const org = await dashboard().world.newOrg();
  const { body } = await org.rest('GET /v1/segments');
  const system = body.segments.find((segment: { is_system: boolean }) => segment.is_system);
  const page = await dashboard().visit(org, `/segments/${system.id}`);
  await page.getByText('The service keeps this segment').waitFor();
  expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
  await expectAccessible(page);
});
