import { expect, test } from 'vitest';
import { expectAccessible, expectAccessibleToo, expectNoTrouble, themes, useDashboard } from './visit.ts';

const dashboard = useDashboard();

test('a property is added by keyboard alone, is in use, changed, and deleted with its values', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const page = await visit(org, '/properties');
  await page.getByText('There are no properties yet').waitFor();
  await expectAccessibleToo(page);
  await page.getByRole('button', { name: 'Add property' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Name').focus();
  await page.keyboard.type('Seats at work');
  expect(await page.getByLabel('Key').inputValue()).toBe('seats_at_work');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('seats!');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('A key is letters, digits and underscores').waitFor();
  await expectAccessible(page);
  await page.getByLabel('Key').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('seats');
  await page.keyboard.press('Enter');
  await page.getByText('Property “Seats at work” added').waitFor();
  const { property_configs } = (await org.rest('GET /v1/property-configs')).body;
  expect(property_configs).toMatchObject([{ key: 'seats', type: 'number', name: 'Seats at work' }]);
  await org.rest('POST /v1/segments', {
    name: 'Large teams',
    filters: [{ custom_property_key: 'seats', op: 'gt', value: 10 }],
  });
  const person = await org.person({ email: 'grace@example.com' });
  await org.rest(`PUT /v1/people/${person}/properties/seats`, { value: 12 });
  await page.reload();
  await page.getByRole('link', { name: 'Large teams' }).waitFor();
  await page.getByRole('button', { name: 'Change Seats at work' }).click();
  const hostile = '<img src=x onerror="document.title=1">';
  await page.getByRole('dialog').getByLabel('Name').fill(hostile);
  await page.keyboard.press('Enter');
  await page.getByText(hostile).first().waitFor();
  expect(await page.title()).toBe('Properties · Rostrum');
  await page.getByRole('button', { name: `Delete ${hostile}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Segments that ask for it stay, and match nobody.').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('There are no properties yet').waitFor();
  await page.getByText('deleted, with 1 value').waitFor();
  expectNoTrouble();
});

test('a key that is taken, and one of the service’s own, are refused in the words of the service', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  await org.rest('POST /v1/property-configs', { key: 'plan', name: 'Plan', type: 'string' });
  const page = await visit(org, '/properties', { theme: 'dark' });
  await page.getByText('1 of at most').waitFor();
  await page.getByRole('button', { name: 'Add property' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Plan');
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').getByText('The key plan already has a config.').waitFor();
  await dialog
    .getByLabel('Key')
    .fill('webinar_attended_019a0000-0000-7000-8000-000000000000'.replaceAll('-', '_'));
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').getByText('are reserved').waitFor();
  await expectAccessibleToo(page);
});

test.each(themes)('a viewer on a phone, %s, sees them and why they are locked', async (theme) => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  await org.rest('POST /v1/property-configs', { key: 'plan', name: 'Plan', type: 'string' });
  const page = await visit(org, '/properties', { width: 390, theme, role: 'viewer' });
  await page.getByText('You may look here, and change nothing.').waitFor();
  const remove = page.getByRole('button', { name: 'Delete Plan' });
  expect(await remove.getAttribute('title')).toContain('people.write');
  await expectAccessible(page);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});

test('a service that fails is told as such, and asked again', async () => {
  const { world, visit } = dashboard();
  const page = await visit(await world.newOrg(), '/properties');
  await page.getByText('There are no properties yet').waitFor();
  await world.admin.query('alter table property_configs rename to property_configs_away');
  try {
    await page.reload();
    await page.getByText('Properties could not be read').waitFor();
    await expectAccessibleToo(page);
  } finally {
    await world.admin.query('alter table property_configs_away rename to property_configs');
  }
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('There are no properties yet').waitFor();
});
