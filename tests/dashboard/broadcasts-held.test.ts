import { expect, test } from 'vitest';
import { readyDraft, schedule } from '../support/broadcast.ts';
import { readBroadcast } from '../support/sending.ts';
import { expectAccessible, expectNoTrouble, useDashboard } from './visit.ts';

const dashboard = useDashboard();

/** A broadcast that was planned for one person and is held, as the engine would have left it. */
async function newHeld() {
  const { world } = dashboard();
  const org = await world.newOrg();
  const { id } = await readyDraft(world, org, { hold_if_audience_changes_by: 20 });
  await schedule(org, id);
  await org.person({ email: 'second@example.com' });
  await world.admin.query(
    `update broadcasts set held_at = now(), held_recipients = 2, revision = revision + 1, send_at = now() where id = $1`,
    [id],
  );
  return { org, id: id as string };
}

test('a held broadcast is told of at home, in the list and on its page, and is released by fresh figures', async () => {
  const { visit } = dashboard();
  const { org, id } = await newHeld();
  const page = await visit(org, '/');
  await page.getByText('Planned for 1 person; 2 were there').waitFor();
  await page.getByText('Nothing is scheduled.').waitFor();
  await page.getByRole('link', { name: 'Broadcasts', exact: true }).first().click();
  await page.getByText('1 planned, 2 there: release it or pull it back').waitFor();
  await page.getByRole('link', { name: /Hello/ }).click();
  await page.getByText('It is held, and nobody has got it.').waitFor();
  await expectAccessible(page);
  await org.person({ email: 'third@example.com' });
  await page.getByRole('button', { name: 'Release…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Release it?' });
  const go = dialog.getByRole('button', { name: 'Release to 3 people' });
  await go.waitFor();
  await expectAccessible(page);
  // Somebody comes while the dialog is open: what was shown no longer holds.
  await org.person({ email: 'fourth@example.com' });
  await go.click();
  await dialog.getByText('4 people are in the audience now, and you were shown 3').waitFor();
  expect((await readBroadcast(org, id)).held).not.toBeNull();
  await dialog.getByRole('button', { name: 'Count again' }).click();
  await dialog.getByRole('button', { name: 'Release to 4 people' }).click();
  await page.getByText('Released: it begins now').waitFor();
  expect(await readBroadcast(org, id)).toMatchObject({ status: 'scheduled', held: null });
  expectNoTrouble();
});

test('a held broadcast is pulled back by its button', async () => {
  const { visit } = dashboard();
  const { org, id } = await newHeld();
  const page = await visit(org, `/broadcasts/${id}`);
  await page.getByRole('button', { name: 'Pull back to draft' }).click();
  await page.getByRole('textbox', { name: 'Email body' }).waitFor();
  expect(await readBroadcast(org, id)).toMatchObject({ status: 'draft', held: null });
});

test('the percent stands in the settings, begins every new broadcast and is changed in its editor', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const settings = await visit(org, '/settings/organization');
  await settings.getByLabel(/^Hold a broadcast if/).fill('15');
  await settings.getByRole('button', { name: 'Save' }).click();
  await settings.getByText('Saved').waitFor();
  const { id } = await readyDraft(world, org);
  const page = await visit(org, `/broadcasts/${id}`);
  const percent = page.getByLabel('Hold it if the audience changes by more than');
  await expect.poll(() => percent.inputValue()).toBe('15');
  await percent.fill('');
  await page.getByText('It goes out however many are there then.').waitFor();
  await expect.poll(async () => (await readBroadcast(org, id)).hold_if_audience_changes_by).toBeNull();
  await percent.fill('7');
  await expect.poll(async () => (await readBroadcast(org, id)).hold_if_audience_changes_by).toBe(7);
});
