import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { TestOrg } from '../support/test-org.ts';
import { expectAccessible, expectAccessibleToo, expectNoTrouble, useDashboard } from './visit.ts';

const dashboard = useDashboard();

async function orgWith(names: readonly (readonly [first: string, last: string])[]): Promise<TestOrg> {
  const org = await dashboard().world.newOrg();
  for (const [place, [first_name, last_name]] of names.entries()) {
    const { status } = await org.rest('POST /v1/people/identify', {
      email: `person${place}@example.com`,
      first_name,
      last_name,
    });
    expect(status).toBeLessThan(300);
  }
  return org;
}

test('a person is found, opened beside the table, opted out, and opted in again by undo', async () => {
  const org = await orgWith([
    ['Ada', 'Lovelace'],
    ['Grace', 'Hopper'],
  ]);
  const page = await dashboard().visit(org, '/people');
  await page.getByText('2 people').waitFor();
  await page.getByPlaceholder('Email, phone or id').fill('person1@');
  await page.keyboard.press('Enter');
  await page.getByText('1 person').waitFor();
  expect(page.url()).toContain('find=person1');
  await page.getByRole('link', { name: /Grace Hopper/ }).click();
  await page.getByRole('complementary', { name: 'Grace Hopper' }).waitFor();
  await expectAccessibleToo(page);
  const optOut = page.getByRole('button', { name: 'Opt out' }).first();
  await optOut.click();
  await page.getByText('Grace Hopper is opted out of email').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => page.getByText('opted out', { exact: true }).count()).toBe(0);
  expectNoTrouble();
});

test('a screen is copied as an API call that works, and as a tool call, without a real key', async () => {
  const { world, visit } = dashboard();
  const org = await orgWith([['Ada', 'Lovelace']]);
  const page = await visit(org, '/people');
  await page.getByRole('link', { name: /Ada/ }).click();
  const read = (): Promise<string> => page.evaluate('navigator.clipboard.readText()');
  await page.getByRole('button', { name: 'Copy as API call' }).click();
  await page.getByText('Copied as an API call').waitFor();
  const curl = (await read()).replace('http://app.localhost', 'http://127.0.0.1');
  const { stdout } = await promisify(execFile)('sh', ['-c', curl], {
    env: { ...process.env, ROSTRUM_KEY: org.secret },
  });
  expect(JSON.parse(stdout).person.first_name).toBe('Ada');
  await page.getByRole('button', { name: 'Copy as tool call' }).click();
  await page.getByText('Copied as a tool call').waitFor();
  const { params } = JSON.parse(await read());
  expect((await org.tool(params.name, params.arguments)).body.person.first_name).toBe('Ada');
  expect(world.logLines.join('')).not.toContain('person0@example.com');
});

test('filters, sorting and the page stand in the address and survive a reload', async () => {
  const { visit } = dashboard();
  const org = await orgWith(
    Array.from({ length: 51 }, (_, place) => [`P${String(place).padStart(2, '0')}`, 'Person'] as const),
  );
  const page = await visit(org, '/people?sort=first_name&order=asc');
  await page.getByText('1–50 of 51').waitFor();
  expect(await page.locator('tbody tr').first().textContent()).toContain('P00');
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByText('51–51 of 51').waitFor();
  await page.reload();
  await page.getByText('51–51 of 51').waitFor();
  expect(await page.locator('tbody tr').textContent()).toContain('P50');
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByRole('menuitem', { name: 'Primary email is' }).click();
  await page.getByLabel('Primary email is').fill('person3@example.com');
  await page.keyboard.press('Enter');
  await page.getByText('1 person').waitFor();
  expect(page.url()).toContain('email=person3');
  await page.getByRole('button', { name: /Remove the filter/ }).click();
  await page.getByText('51 people').waitFor();
});

test('deleting a person says before that it is for good, and shows a refusal in the words of the service', async () => {
  const { visit } = dashboard();
  const org = await orgWith([['Ada', 'Lovelace']]);
  const { body } = await org.rest('GET /v1/people');
  await org.rest(`PATCH /v1/people/${body.people[0].id}/opt-outs`, { email_opt_out: true });
  const page = await visit(org, `/people/${body.people[0].id}`);
  await page.getByRole('button', { name: 'Delete this person' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Ada Lovelace?' });
  await dialog.getByText('It cannot be undone').waitFor();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await dialog.getByRole('alert').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Keep Ada Lovelace' }).click();
  await org.rest(`PATCH /v1/people/${body.people[0].id}/opt-outs`, { email_opt_out: false });
  await page.getByRole('button', { name: 'Delete this person' }).click();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.waitForURL(/\/people$/);
  await page.getByText('Nobody is here yet').waitFor();
});

test('a person is added by hand, found again instead of made twice, and refused in the words of the service', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const page = await visit(org, '/people');
  const add = async (fields: Readonly<Record<string, string>>): Promise<void> => {
    await page.getByRole('button', { name: 'New person' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a person?' });
    for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label).fill(value);
    await dialog.getByRole('button', { name: 'Add' }).click();
  };
  await add({ 'First name': 'Ada' });
  await page.getByText('names alone identify nobody').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await add({ Email: 'ada@example.com', 'First name': 'Ada' });
  await page.getByText('Added', { exact: true }).waitFor();
  await page.waitForURL(/person=/);
  await page.getByRole('button', { name: 'Delete this person' }).waitFor();
  await add({ Email: 'ADA@example.com', 'Last name': 'Lovelace' });
  await page.getByText('Was known already').waitFor();
  expect((await org.rest('GET /v1/people')).body).toMatchObject({
    total: 1,
    people: [{ first_name: 'Ada', last_name: 'Lovelace' }],
  });
  expectNoTrouble();
});

test('where the browser lets a page write to a file, an export goes there as it comes', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  await org.person({ email: 'ada@example.com' });
  const page = await visit(org, '/people');
  await page.getByText('ada@example.com').first().waitFor();
  await page.evaluate(`globalThis.showSaveFilePicker = async ({ suggestedName }) =>
    (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true })`);
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByText('people.csv is downloaded').waitFor();
  const read = `navigator.storage.getDirectory().then((folder) => folder.getFileHandle('people.csv'))
    .then((handle) => handle.getFile()).then((file) => file.text())`;
  expect(await page.evaluate<string>(read)).toContain('ada@example.com');
  // Nothing is left of one that breaks off.
  await page.route('**/v1/people/export', (route) => route.abort());
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('dialog', { name: 'The export broke off' }).waitFor();
  expect(await page.evaluate<string>(read)).toContain('ada@example.com');
  expectNoTrouble();
});
