import { expect, test } from 'vitest';
import { TestOrg } from '../support/test-org.ts';
import { expectAccessible, expectAccessibleToo, expectNoTrouble, useDashboard } from './visit.ts';

const dashboard = useDashboard();

test('AUT-019 keys are made, shown once, used and revoked under Settings, API keys', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const page = await visit(org, '/people');
  await page.getByRole('link', { name: 'Settings' }).first().click();
  await page.waitForURL(/\/settings\/organization$/);
  await page.getByRole('link', { name: 'API keys' }).first().click();
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
  await page.getByRole('button', { name: 'Make a key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Make a key' });
  await dialog.getByLabel('What it is for').fill('Website forms');
  await dialog.getByLabel(/See people/).check();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Make the key' }).click();
  await page.getByText('it is shown this once').waitFor();
  const secret = (await page.locator('[data-secret]').textContent()) ?? '';
  const made = new TestOrg(world.url, org.id, '', secret);
  expect((await made.rest('GET /v1/people')).status).toBe(200);
  expect((await made.rest('GET /v1/segments')).status).toBe(200);
  expect((await made.rest('GET /v1/webinars')).status).toBe(403);
  await expectAccessible(page);
  await page.reload();
  await page.getByText('Website forms').waitFor();
  expect(await page.textContent('body')).not.toContain(secret);
  await page.getByRole('button', { name: 'Revoke Website forms' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('revoked', { exact: true }).waitFor();
  await expect.poll(async () => (await made.rest('GET /v1/people')).status).toBe(401);
  expectNoTrouble();
});

test('somebody is invited with a role, and the invitation is taken back', async () => {
  const { world, visit } = dashboard();
  const page = await visit(await world.newOrg(), '/settings/members');
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite somebody' });
  await dialog.getByLabel('Email').fill('no address');
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await dialog.locator('.err').waitFor();
  await dialog.getByLabel('Email').fill('lou@example.com');
  await dialog.getByLabel('Role').selectOption('viewer');
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await page.getByText('Invited, until').waitFor();
  await expectAccessibleToo(page);
  await page.getByRole('button', { name: 'Withdraw the invitation of lou@example.com' }).click();
  await expect.poll(() => page.getByText('Invited, until').count()).toBe(0);
  expectNoTrouble();
});

test('the last owner keeps the role, and is told why', async () => {
  const { world, visit } = dashboard();
  const page = await visit(await world.newOrg(), '/settings/members');
  await page.getByLabel(/^Role of member/).selectOption('viewer');
  await page.getByRole('alert').waitFor();
  expect(await page.getByLabel(/^Role of member/).inputValue()).toBe('owner');
});

test('the audit log tells who changed what, and is narrowed by the operation', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  await org.rest('POST /v1/people/identify', { email: 'grace@example.com' });
  const page = await visit(org, '/settings/audit');
  await page.getByText('identify_person').waitFor();
  await expectAccessibleToo(page);
  await page.getByLabel('Operation').fill('delete_person');
  await page.getByText('Nothing is recorded').waitFor();
});

test('a viewer sees keys and members, and why they may not change them', async () => {
  const { world, visit } = dashboard();
  const page = await visit(await world.newOrg(), '/settings/keys', { role: 'viewer' });
  const make = page.getByRole('button', { name: 'Make a key' });
  await make.waitFor();
  expect(await make.getAttribute('aria-disabled')).toBe('true');
  expect(await make.getAttribute('title')).toContain('settings.write');
});
