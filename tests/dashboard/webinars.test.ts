import { expect, test } from 'vitest';
import { inHours } from '../support/broadcast.ts';
import { createWebinar, registerFor } from '../support/webinar.ts';
import { anchored, newRegistrants, waitingWorkflow } from '../webinars/waiting.ts';
import { expectAccessible, expectAccessibleToo, expectNoTrouble, useDashboard } from './visit.ts';

const dashboard = useDashboard();

test('WEB-016 a webinar made in the dashboard starts as a draft; it is scheduled, and a draft again by undo', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const page = await visit(org, '/webinars');
  await page.getByText('There are no webinars yet').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'New webinar' }).click();
  const dialog = page.getByRole('dialog', { name: 'New webinar' });
  await dialog.getByLabel('Title').fill('Pricing your first course');
  await dialog.getByLabel('Day').fill('2027-07-01');
  await dialog.getByLabel('Start').fill('18:00');
  await dialog.getByLabel('Zone').fill('Europe/Paris');
  await dialog.getByText('16:00 UTC').waitFor();
  await expectAccessible(page);
  await dialog.getByLabel('Title').press('Enter');
  await page.getByRole('heading', { name: 'Pricing your first course' }).waitFor();
  const only = async () => (await org.rest('GET /v1/webinars')).body.webinars[0];
  expect(await only()).toMatchObject({
    status: 'draft',
    start_time: '2027-07-01T16:00:00.000Z',
    timezone: 'Europe/Paris',
    duration_minutes: 60,
  });
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  await expect.poll(async () => (await only()).status).toBe('scheduled');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => (await only()).status).toBe('draft');
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('There are no webinars yet').waitFor();
  expectNoTrouble();
});

test('what would move is shown before a webinar moves, and moves', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const { id } = await createWebinar(org, { title: '<b>Bold</b>', start_time: inHours(96), timezone: 'UTC' });
  await waitingWorkflow(org, id, anchored('w', 'start', -1440));
  await newRegistrants(world, org, id, 3);
  const page = await visit(org, `/webinars/${id}`, { theme: 'dark' });
  await page.getByRole('heading', { name: '<b>Bold</b>' }).waitFor();
  const line = page.getByRole('region', { name: 'Messages around the start' });
  await line.getByText('1 day before').waitFor();
  await line.getByText('A workflow: 3 people waiting').waitFor();
  await expectAccessibleToo(page);
  await page.getByRole('button', { name: 'Reschedule' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reschedule: what would move' });
  const soon = inHours(2);
  await dialog.getByLabel('New day').fill(soon.slice(0, 10));
  await dialog.getByLabel('Start').fill(soon.slice(11, 16));
  await dialog.getByText('past: sent at once').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Move webinar and 3 reminders' }).click();
  await page.getByText('Moved, with 3 reminders').waitFor();
  const { body } = await org.rest(`GET /v1/webinars/${id}`);
  expect(body.webinar.start_time.slice(0, 16)).toBe(soon.slice(0, 16));
  expectNoTrouble();
});

test('somebody is added, their attendance is told and taken back, and a canceled webinar takes nobody', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const { id } = await createWebinar(org, { start_time: inHours(-1), duration_minutes: 30 });
  await registerFor(org, id, { email: 'grace@example.com' });
  const page = await visit(org, `/webinars/${id}`);
  await page.getByRole('button', { name: 'Add registrant' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a registrant' });
  await dialog.getByLabel('Email').fill('no address');
  await dialog.getByLabel('First name').fill('Ada');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.locator('.err').waitFor();
  await dialog.getByLabel('Email').fill('ada@example.com');
  await dialog.getByLabel('Email').press('Enter');
  await page.getByText('ada@example.com').waitFor();
  const attended = async () =>
    (await org.rest(`GET /v1/webinars/${id}/registrations?attended=true`)).body.total as number;
  await page.getByRole('switch', { name: 'Ada attended' }).click();
  await expect.poll(attended).toBe(1);
  await page.getByRole('switch', { name: 'grace@example.com attended' }).click();
  await expect.poll(attended).toBe(2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(attended).toBe(1);
  await page.getByRole('button', { name: 'Not attended' }).click();
  await page.waitForURL(/attended=false/);
  await expectAccessibleToo(page);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Cancel the webinar' }).click();
  await page.getByText('2 people registered').waitFor();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the webinar' }).click();
  await page.getByText('Canceled', { exact: true }).first().waitFor();
  await expect
    .poll(() => page.getByRole('button', { name: 'Add registrant' }).getAttribute('aria-disabled'))
    .toBe('true');
  expectNoTrouble();
});

test('a viewer sees webinars and is told why nothing can be changed; a phone shows them too', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const { id } = await createWebinar(org);
  const page = await visit(org, '/webinars', { role: 'viewer', width: 390 });
  await page.getByRole('link', { name: 'Pricing' }).or(page.locator('tbody a')).first().click();
  await page.waitForURL(new RegExp(id));
  const button = page.getByRole('button', { name: 'Reschedule' });
  expect(await button.getAttribute('title')).toContain('Needs webinars.write');
  await expectAccessibleToo(page);
  const other = await world.newOrg();
  await page.goto(page.url().replace(org.id, other.id));
  await page
    .getByRole('heading', { name: 'This is not there' })
    .or(page.getByRole('alert'))
    .first()
    .waitFor();
  expectNoTrouble();
});
