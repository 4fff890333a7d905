import { expect, test } from 'vitest';
import { inHours } from '../support/broadcast.ts';
import { createWebinar, registerFor } from '../support/webinar.ts';
import { expectAccessibleToo, expectNoTrouble, useDashboard } from './visit.ts';

const dashboard = useDashboard();

test('home tells how much wants a look, leads to all broadcasts and begins a new one', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  await org.rest('POST /v1/senders', { name: 'News', email: 'news@unproven.example' });
  const page = await visit(org, '/');
  await page.getByText('1 thing wants a look.').waitFor();
  expect(await page.getByRole('link', { name: 'All broadcasts' }).getAttribute('href')).toMatch(
    /\/broadcasts$/,
  );
  await expectAccessibleToo(page);
  await page.getByRole('button', { name: 'New broadcast' }).click();
  await page.getByRole('textbox', { name: 'Subject' }).waitFor();
  expect((await org.rest('GET /v1/broadcasts')).body.broadcasts).toMatchObject([{ status: 'draft' }]);
  expectNoTrouble();
});

test('the weeks after the next one are a step away', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  await createWebinar(org, { title: 'In ten days', start_time: inHours(240), timezone: 'UTC' });
  const page = await visit(org, '/');
  const week = page.getByRole('region', { name: 'Next 7 days' });
  await week.waitFor();
  expect(await week.getByRole('link').count()).toBe(0);
  await week.getByRole('button', { name: 'Week after' }).click();
  await week.getByRole('heading', { name: /^7 days from / }).waitFor();
  await week.getByRole('link', { name: /In ten days/ }).waitFor();
  await expectAccessibleToo(page);
  await week.getByRole('button', { name: 'Week before' }).click();
  await week.getByRole('heading', { name: 'Next 7 days' }).waitFor();
  expect(await week.getByRole('link').count()).toBe(0);
  expectNoTrouble();
});

test('on a phone the title of a webinar has the room that its state does not need', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const title = 'Reminders that people open';
  const { id } = await createWebinar(org, { title, start_time: inHours(96), timezone: 'UTC' });
  await registerFor(org, id, { email: 'ann@example.com' });
  const page = await visit(org, '/webinars', { width: 390 });
  const link = page.getByRole('link', { name: title });
  expect(await link.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
  await link.click();
  const search = page.getByRole('search');
  await search.waitFor();
  const [input, button] = await Promise.all(
    [search.getByRole('searchbox'), search.getByRole('button', { name: 'Find' })].map((one) =>
      one.boundingBox(),
    ),
  );
  expect([input!.height, button!.height]).toEqual([44, 44]);
  expectNoTrouble();
});
