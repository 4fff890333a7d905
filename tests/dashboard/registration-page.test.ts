import { expect, test } from 'vitest';
import { changePage, openPage } from '../registration-pages/visitor.ts';
import { createWebinar } from '../support/webinar.ts';
import { expectAccessible, expectNoTrouble, useDashboard } from './visit.ts';

const dashboard = useDashboard();

test('a registration page is made, asked for more, published, framed and taken down', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  await org.rest('POST /v1/property-configs', { key: 'company', name: 'Company', type: 'string' });
  const webinar = await createWebinar(org, { title: 'Pricing a first course' });
  const taken = await openPage(await world.newOrg(), { slug: 'taken-by-others' });
  const page = await visit(org, `/webinars/${webinar.id}`);
  await page.getByRole('link', { name: 'Make a page' }).click();
  await page.getByText('Not made yet').waitFor();
  const only = async () =>
    (await org.rest(`GET /v1/webinars/${webinar.id}/registration-page`)).body.registration_page;
  const address = page.getByLabel('Last part of the address');
  await address.fill(taken.slug);
  await page.getByLabel('Ask for another field').selectOption({ label: 'Company' });
  await page.getByRole('checkbox', { name: 'Company is required' }).check();
  await page.getByRole('button', { name: 'Move Company up' }).click();
  await page.getByLabel('Consent').fill('I agree to be written to.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Another page has the address').waitFor();
  await expectAccessible(page);
  await address.fill('first-course');
  await address.press('Enter');
  await page.getByText('Taken down').waitFor();
  expect(await only()).toMatchObject({
    published: false,
    slug: 'first-course',
    consent_text: 'I agree to be written to.',
    fields: [
      { field: 'full_name', required: true },
      { property: 'company', required: true },
      { field: 'email', required: true },
    ],
  });
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Visitors can register.').waitFor();
  expect((await fetch(`${world.url}/w/first-course`)).status).toBe(200);
  await page.getByLabel('Sites that may show it in a frame').fill('example.com');
  await page.getByRole('button', { name: 'Save the sites' }).click();
  await page.getByText('Must be an origin').waitFor();
  await page.getByLabel('Sites that may show it in a frame').fill('https://example.com');
  await page.getByRole('button', { name: 'Save the sites' }).click();
  await page.getByRole('button', { name: 'Copy the snippet' }).click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(
    /^<iframe src="[^"]+\/w\/first-course\/embed" title="Register: Pricing a first course" /,
  );
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Take it down' }).click();
  await page.getByRole('button', { name: 'Publish' }).waitFor();
  expect((await only()).published).toBe(false);
  expectNoTrouble();
});

test('what somebody else saved meanwhile is shown, and a viewer reads why nothing can be changed', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const { webinar_id } = await openPage(org, { slug: 'for-viewers' });
  await changePage(org, webinar_id, { description: 'Changed elsewhere.' });
  const page = await visit(org, `/webinars/${webinar_id}/registration-page`, { role: 'viewer' });
  expect(await page.getByLabel('Description').inputValue()).toBe('Changed elsewhere.');
  const button = page.getByRole('button', { name: 'Take it down' });
  expect([await button.getAttribute('aria-disabled'), await button.getAttribute('title')]).toEqual([
    'true',
    expect.stringContaining('webinars.write'),
  ]);
});

test('of two who edit, the second is told, keeps what was typed, and chooses what stays', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const { webinar_id } = await openPage(org, { slug: 'for-two', description: 'First.' });
  const page = await visit(org, `/webinars/${webinar_id}/registration-page`);
  const [description, save] = [
    page.getByLabel('Description'),
    page.getByRole('button', { name: 'Save', exact: true }),
  ];
  const saved = async () =>
    (await org.rest(`GET /v1/webinars/${webinar_id}/registration-page`)).body.registration_page;
  await description.fill('Mine.');
  await changePage(org, webinar_id, { consent_text: 'Theirs.' });
  await save.click();
  await page.getByText('Somebody else changed this page meanwhile.').waitFor();
  await expectAccessible(page);
  expect(await saved()).toMatchObject({ description: 'First.', consent_text: 'Theirs.', revision: 2 });
  expect(await description.inputValue()).toBe('Mine.');
  const late = Promise.withResolvers<void>();
  await page.route('**/registration-page', async (route) => {
    await late.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Save mine over it' }).click();
  await page.getByText('Somebody else changed this page meanwhile.').waitFor({ state: 'detached' });
  await description.fill('Mine again.'); // while the answer is still to come
  late.resolve();
  await page.getByText('Saved', { exact: true }).waitFor();
  expect(await saved()).toMatchObject({ description: 'Mine.', consent_text: null, revision: 3 });
  await page.unroute('**/registration-page');

  // Publishing is a change of one's own: what is typed stays, and is no conflict.
  await page.getByRole('button', { name: 'Take it down' }).click();
  await page.getByRole('button', { name: 'Publish' }).waitFor();
  expect(await description.inputValue()).toBe('Mine again.');
  await save.click();
  await expect.poll(saved).toMatchObject({ description: 'Mine again.', revision: 5 });

  await description.fill('Mine at last.');
  await changePage(org, webinar_id, { description: 'Theirs at last.' });
  await save.click();
  await page.getByRole('link', { name: 'Drop mine and read theirs' }).click();
  await expect.poll(() => description.inputValue()).toBe('Theirs at last.');
});
