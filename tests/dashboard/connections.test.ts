import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { permissions, type Permission } from '../../src/kernel/caller.ts';
import { answerForm, browserOf, register, TestClient, TestConnection } from '../support/connection.ts';
import { newMember } from '../support/member.ts';
import type { TestOrg } from '../support/test-org.ts';
import { createWebinar } from '../support/webinar.ts';
import { expectAccessible, expectAccessibleToo, expectNoTrouble, themes, useDashboard } from './visit.ts';

const dashboard = useDashboard();
const copied = (page: Page): Promise<string> => page.evaluate('navigator.clipboard.readText()');

/** A tool that an owner let in, by the public address. */
async function letIn(
  org: TestOrg,
  client_name: string,
  ticked: readonly Permission[] = permissions,
): Promise<TestConnection> {
  const { world, url } = dashboard();
  const { body } = await register(world.url, { client_name });
  const client = new TestClient(world.url, body.client_id);
  const member = await newMember(world, org, 'owner');
  const asked = client.request({ resource: `${url}/mcp` });
  const form = answerForm(asked, org.id, ticked);
  const { location } = await browserOf(member).post('/oauth/authorize', form, { origin: url });
  const code = new URL(location ?? '').searchParams.get('code') ?? '';
  const tokens = await client.exchange(code, { resource: `${url}/mcp` });
  return new TestConnection(client, member, tokens.body);
}

test('an assistant is told where to connect, shown with what it may do, and disconnected by keyboard alone', async () => {
  const { world, visit, url } = dashboard();
  const org = await world.newOrg();
  const page = await visit(org, '/settings/connections');
  await page.getByText('No tool is connected.').waitFor();
  await page.getByText('No platform is connected.').waitFor();
  await expectAccessibleToo(page);
  await page.getByRole('button', { name: 'Copy the address for tools' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Copied the address for tools').waitFor();
  expect(await copied(page)).toBe(`${url}/mcp`);
  const tool = await letIn(org, 'Desk assistant', [
    'people.read',
    'people.write',
    'broadcasts.read',
    'broadcasts.write',
  ]);
  await page.reload();
  const row = page.getByRole('row', { name: /Desk assistant/ });
  await row.getByText(`for ${tool.member.user.email}, since`).waitFor();
  await row.getByText('See people, segments and imports').waitFor();
  await row.getByText('and 1 more').click();
  await row.getByText('Draft and plan broadcasts').waitFor();
  await row.getByText('Never').waitFor();
  await expectAccessible(page);
  await row.getByRole('button', { name: 'Disconnect Desk assistant' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Disconnect Desk assistant?' });
  await dialog.getByText('It ends within a second').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Disconnect' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('No tool is connected.').waitFor();
  await expect.poll(async () => (await tool.call('list_people')).status).toBe(401);
  expectNoTrouble();
});

test('a tool that calls itself something hostile is shown as text', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const hostile = '<img src=x onerror=document.title=1>';
  await letIn(org, hostile);
  const page = await visit(org, '/settings/connections');
  await page.getByText(hostile).waitFor();
  expect(await page.title()).toBe('Connections · Rostrum');
  expectNoTrouble();
});

test('a platform is connected, its secrets are not seen again, and one that is linked is kept', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const page = await visit(org, '/settings/connections', { theme: 'dark' });
  await page.getByRole('button', { name: 'Connect a platform' }).click();
  const form = page.getByRole('dialog', { name: 'Connect a platform' });
  await form.getByLabel('Account ID').fill('an-account');
  await form.getByLabel('Client ID').fill('an-app');
  await form.getByLabel('Client secret').fill('very-secret-1');
  await page.keyboard.press('Enter');
  await form.locator('.err').waitFor();
  await form.getByLabel('Webhook secret token').fill('very-secret-2');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  const card = page.getByRole('region', { name: 'Zoom an-account' });
  await card.getByText('Connected', { exact: true }).first().waitFor();
  await card.getByRole('button', { name: 'Copy the address for events' }).click();
  const { platform_connections } = (await org.rest('GET /v1/platform-connections')).body;
  await expect.poll(() => copied(page)).toBe(platform_connections[0].webhook_url);
  await page.reload();
  await card.waitFor();
  expect(await page.content()).not.toContain('very-secret');
  await card.getByRole('button', { name: 'Connect again' }).click();
  const again = page.getByRole('dialog', { name: 'Connect Zoom again' });
  expect(await again.getByLabel('Client secret').inputValue()).toBe('');
  expect(await again.getByLabel('Account ID').inputValue()).toBe('an-account');
  await again.getByRole('button', { name: 'Cancel' }).click();
  const webinar = await createWebinar(org);
  const link = { connection_id: platform_connections[0].id, event_id: '123456789' };
  const linked = await org.rest(`PUT /v1/webinars/${webinar.id}/platform`, link);
  expect(linked.status).toBeLessThan(300);
  await card.getByRole('button', { name: 'Disconnect Zoom an-account' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Disconnect' }).click();
  await dialog
    .getByRole('alert')
    .getByText('A webinar is linked to an event of this account. Unlink first.')
    .waitFor();
  await expectAccessible(page);
  await org.rest(`DELETE /v1/webinars/${webinar.id}/platform`);
  await dialog.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByText('No platform is connected.').waitFor();
  expectNoTrouble();
});

test.each(themes)('a viewer on a phone, %s, sees platforms and why they are locked', async (theme) => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  await org.rest('POST /v1/platform-connections', {
    platform: 'zoom',
    account_id: 'an-account',
    client_id: 'an-app',
    client_secret: 'very-secret',
    webhook_secret_token: 'very-secret',
  });
  await world.admin.query(
    "update platform_connections set trouble = 'The app was removed.', trouble_at = now()",
  );
  const page = await visit(org, '/settings/connections', { width: 390, theme, role: 'viewer' });
  await page.getByText('The app was removed.').waitFor();
  await page.getByText('You may look here, and change nothing.').waitFor();
  const again = page.getByRole('button', { name: 'Connect again' });
  expect(await again.getAttribute('title')).toContain('settings.write');
  await expectAccessible(page);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});

test('a service that fails is told as such, and asked again', async () => {
  const { world, visit } = dashboard();
  const page = await visit(await world.newOrg(), '/settings/connections');
  await page.getByText('No tool is connected.').waitFor();
  await world.admin.query('alter table connections rename to connections_away');
  try {
    await page.reload();
    await page.getByText('Tools could not be read').waitFor();
    await expectAccessible(page);
  } finally {
    await world.admin.query('alter table connections_away rename to connections');
  }
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('No tool is connected.').waitFor();
});
