import { expect, test } from 'vitest';
import { inHours } from '../support/broadcast.ts';
import { createWebinar, registerFor } from '../support/webinar.ts';
import { expectAccessible, expectNoTrouble, useDashboard } from './visit.ts';

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
  await expectAccessible(page);
  await page.getByRole('button', { name: 'New broadcast' }).click();
  await page.getByRole('textbox', { name: 'Subject' }).waitFor();
  expect((await org.rest('GET /v1/broadcasts')).body.broadcasts).toMatchObject([{ status: 'draft' }]);
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
