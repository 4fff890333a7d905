import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { setLayout } from '../support/broadcast.ts';
import { newSender } from '../support/sender-row.ts';
import { createWebinar, registerFor } from '../support/webinar.ts';
import { newWorkflow, readWorkflow } from '../support/workflow.ts';
import { expectAccessible, expectAccessibleToo, expectNoTrouble, useDashboard } from './visit.ts';

const dashboard = useDashboard({ engine: true });

/** An organization that can send, a webinar, and a workflow with nothing in it. */
async function beginning() {
  const { world } = dashboard();
  const org = await world.newOrg();
  await setLayout(org);
  const sender = await newSender(world, org);
  const webinar = await createWebinar(org, { title: 'Pricing a first course' });
  const { id } = await newWorkflow(org);
  return { org, sender, webinar, id };
}

const rail = (page: Page, name?: string) =>
  page.getByRole('complementary', ...(name === undefined ? [] : [{ name }]));
const saved = (page: Page) => page.getByRole('status').filter({ hasText: /^Saved/ });

test('a workflow is made from nothing by mouse, undone and redone, published, and its change is told before it is', async () => {
  const { visit } = dashboard();
  const { org, sender, webinar, id } = await beginning();
  const page = await visit(org, `/workflows/${id}`);
  const canvas = page.getByRole('group', { name: 'A workflow' });
  await canvas.getByRole('button', { name: /Somebody registers/ }).click();
  await rail(page).getByLabel('Only for').selectOption({ label: 'Pricing a first course' });
  await canvas.getByRole('button', { name: 'Add a step after trigger' }).click();
  await rail(page).getByRole('button', { name: 'Send an email' }).click();
  await rail(page).getByLabel('Subject').fill('You are in');
  await rail(page).getByLabel('Sender').selectOption(sender);
  await rail(page).getByRole('button', { name: 'Edit the body' }).click();
  const body = page.getByRole('dialog', { name: 'Body of the email' });
  await body.getByRole('textbox').fill('See you there.');
  await body.getByRole('button', { name: 'Done' }).click();
  await canvas.getByRole('button', { name: 'Add a step after email' }).click();
  await rail(page).getByRole('button', { name: 'Split by attendance' }).click();
  for (const branch of ['Attended', 'Did not attend']) {
    await canvas.getByRole('button', { name: `Add a step after attendance, ${branch}` }).click();
    await rail(page).getByRole('button', { name: 'End', exact: true }).click();
  }
  await saved(page).waitFor();
  const nodes = async () => (await readWorkflow(org, id)).graph.nodes.map((node: { id: string }) => node.id);
  await expect.poll(nodes).toEqual(['email', 'attendance', 'end-2', 'end']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(nodes).toEqual(['email', 'attendance', 'end']);
  await page.getByText('1 problem keeps').waitFor();
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect.poll(nodes).toEqual(['email', 'attendance', 'end-2', 'end']);
  await expectAccessibleToo(page);
  expect((await readWorkflow(org, id)).graph.trigger).toMatchObject({
    webinar_id: webinar.id,
    next: 'email',
  });

  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Live, version 1').waitFor();
  await canvas.getByRole('button', { name: /Send an email/ }).click();
  await rail(page).getByLabel('Subject').fill('You are in. Here is why');
  await page.getByText('Draft with changes').waitFor();
  await page.getByRole('button', { name: 'Publish' }).click();
  await page
    .getByRole('table', { name: 'What changes' })
    .getByRole('row', { name: /email.*changed/ })
    .waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Keep as a draft' }).click();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused, version 1').waitFor();
  expectNoTrouble();
});

test('a workflow is made and published by keyboard alone, and the engine sends what it says', async () => {
  const { visit } = dashboard();
  const { org, webinar, id } = await beginning();
  const page = await visit(org, `/workflows/${id}`);
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  /** Tab, until what has the focus is called so. */
  const tabTo = async (name: string) => {
    const named = `(() => { const at = document.activeElement;
      return [at?.getAttribute('aria-label'), at?.labels?.[0]?.textContent, at?.textContent].some((one) => one === ${JSON.stringify(name)}); })()`;
    for (let turn = 0; turn < 60; turn++) {
      if (await page.evaluate(named)) return;
      await press('Tab');
    }
    throw new Error(`Tab does not come to ${name}`);
  };
  const trigger = page.locator('[data-step="trigger"]');
  await trigger.focus();
  await press('a');
  await rail(page, 'Add a step').waitFor();
  await tabTo('Send an email');
  await press('Enter');
  await rail(page, 'email').waitFor();
  await tabTo('Subject');
  await page.keyboard.type('By keys alone');
  await tabTo('Sender');
  await press('ArrowDown');
  await tabTo('Edit the body');
  await press('Enter');
  const body = page.getByRole('dialog', { name: 'Body of the email' }).getByRole('textbox');
  await body.focus();
  await page.keyboard.type('Hello.');
  await tabTo('Done');
  await press('Enter');
  await body.waitFor({ state: 'detached' });
  await tabTo('Add a step: Then');
  await press('Enter');
  await rail(page, 'Add a step').waitFor();
  await tabTo('End');
  await press('Enter');
  await rail(page, 'End').waitFor();
  await press('Escape');
  await expect.poll(() => page.evaluate('document.activeElement?.dataset?.step')).toBe('end');
  await press('ArrowUp');
  await expect.poll(() => page.evaluate('document.activeElement?.dataset?.step')).toBe('email');
  await press('d');
  await expect.poll(async () => (await readWorkflow(org, id)).graph.nodes.length).toBe(3);
  await press('Control+z');
  await expect.poll(async () => (await readWorkflow(org, id)).graph.nodes.length).toBe(2);
  await saved(page).waitFor();
  await page.getByRole('button', { name: 'Publish' }).focus();
  await press('Enter');
  await page.getByRole('dialog').waitFor();
  await tabTo('Publish');
  await press('Enter');
  await page.getByText('Live, version 1').waitFor();

  await registerFor(org, webinar.id, { email: 'ada@example.com' });
  await expect
    .poll(
      async () =>
        (await readWorkflow(org, id)).nodes.find((one: { id: string }) => one.id === 'email').messages.sent,
    )
    .toBe(1);
  expectNoTrouble();
});

test('two who edit at once are told, and what a viewer may not change stands there with the reason', async () => {
  const { visit } = dashboard();
  const { org, id } = await beginning();
  const page = await visit(org, `/workflows/${id}?view=list`);
  await page.getByRole('button', { name: /Add a step after trigger/ }).click();
  await rail(page).getByRole('button', { name: 'Wait', exact: true }).click();
  await saved(page).waitFor();
  await expect.poll(async () => (await readWorkflow(org, id)).graph.nodes.length).toBe(1);
  await org.rest(`PATCH /v1/workflows/${id}`, { name: 'Theirs' });
  await rail(page).getByLabel('How long').fill('3');
  await page.getByText('Somebody else changed this workflow meanwhile.').waitFor();
  await page.getByRole('button', { name: 'Save mine over it' }).click();
  await expect
    .poll(async () => (await readWorkflow(org, id)).graph.nodes[0].duration_minutes)
    .toBe(3 * 1_440);
  const viewer = await visit(org, `/workflows/${id}?step=wait`, { role: 'viewer' });
  await viewer.getByText('You may look here, and change nothing.').waitFor();
  expect(await viewer.getByLabel('How long').isDisabled()).toBe(true);
  expect(await viewer.getByRole('button', { name: 'Publish' }).getAttribute('title')).toContain(
    'workflows.write',
  );
  expectNoTrouble();
});
