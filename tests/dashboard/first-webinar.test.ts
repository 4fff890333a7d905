import { expect, test } from 'vitest';
import { enterDemonstration, goForward } from './demonstration.ts';
import { expectNoTrouble, useDashboard } from './visit.ts';

const dashboard = useDashboard({ engine: true });

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const oneWeek = '604800';

test('docs/guides/first-webinar.md can be followed step by step', async () => {
  const { world } = dashboard();
  const page = await enterDemonstration(dashboard());
  await page.getByRole('link', { name: 'Webinars' }).first().click();
  await page.getByRole('button', { name: 'New webinar' }).click();
  const dialog = page.getByRole('dialog', { name: 'New webinar' });
  await dialog.getByLabel('Title').fill('Pricing a first course');
  await dialog.getByLabel('Day').fill(inDays(7));
  await dialog.getByLabel('Start').fill('18:00');
  await dialog.getByLabel('Zone').fill('Europe/Paris');
  await dialog.getByRole('button', { name: 'Make a draft' }).click();
  await page.getByRole('heading', { name: 'Pricing a first course' }).waitFor();
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  const webinar = page.url();

  await page.getByRole('link', { name: 'Workflows' }).first().click();
  await page.getByRole('button', { name: 'New workflow' }).click();
  const rail = page.getByRole('complementary');
  await page.getByRole('button', { name: /Somebody registers/ }).click();
  await rail.getByLabel('Only for').selectOption({ label: 'Pricing a first course' });
  await page.getByRole('button', { name: 'Add a step after trigger' }).click();
  await rail.getByRole('button', { name: 'Send an email' }).click();
  await rail.getByLabel('Subject').fill('You are in');
  await rail.getByLabel('Sender').selectOption({ index: 1 });
  await rail.getByRole('button', { name: 'Edit the body' }).click();
  const body = page.getByRole('dialog', { name: 'Body of the email' });
  await body.getByRole('textbox').fill('See you there.');
  await body.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Add a step after email' }).click();
  await rail.getByRole('button', { name: 'End', exact: true }).click();
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Live, version 1').waitFor();

  await page.goto(webinar);
  await page.getByRole('link', { name: 'Make a page' }).click();
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Visitors can register.').waitFor();
  const visitor = await page.context().newPage();
  await visitor.goto(await page.locator('a[href*="/w/"]').first().getAttribute('href').then(String));
  await visitor.getByLabel('Full name').fill('Ada Lovelace');
  await visitor.getByLabel('Email').fill('ada@example.com');
  await visitor.waitForTimeout(2_500); // quicker is taken for a program
  await visitor.getByRole('button', { name: 'Register' }).click();
  await visitor.waitForURL(/registered$/);
  await expect
    .poll(async () => {
      const { rows } = await world.admin.query(
        `select 1 from deliveries d join broadcasts b on b.org_id = d.org_id and b.id = d.broadcast_id
         where b.audience = 'workflow' and d.state = 'sent' and b.subject = 'You are in'`,
      );
      return rows.length;
    })
    .toBe(1);

  await goForward(page, oneWeek);
  await goForward(page, oneWeek);
  await page.goto(webinar);
  await page.getByRole('switch', { name: /Ada Lovelace attended/ }).click();
  await page.getByRole('switch', { name: /Ada Lovelace attended/, checked: true }).waitFor();
  await page.getByRole('button', { name: 'Export' }).waitFor();
  await page.getByRole('button', { name: 'Attendance from a file' }).waitFor();
  expectNoTrouble();
});
