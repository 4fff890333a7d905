import { expect, test } from 'vitest';
import { newDraft, readyDraft } from '../support/broadcast.ts';
import { readBroadcast } from '../support/sending.ts';
import { newMember } from '../support/member.ts';
import { expectAccessible, expectAccessibleToo, expectNoTrouble, useDashboard } from './visit.ts';

const dashboard = useDashboard();

const firstName = '{{context.root_context.org_user.first_name}}';

test('BRD-039 a broadcast made by the API shows in the list and opens in the editor, which leaves it byte for byte', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  // Not as the editor would write it: blanks, an end tag left out, marks the other way round.
  const html =
    '<h2>Doors  close</h2>\n<p>Hi {{var_name}},<br>see <em><strong><a href="https://example.com/?a=1&amp;b">this</a></strong></em>.</p>\n<ul><li>One<li>Two</ul>';
  const made = await readyDraft(world, org, {
    subject: 'Doors close Friday',
    html,
    variables: { var_name: { variable: firstName, fallback: 'there' } },
  });
  const page = await visit(org, '/people');
  await page.getByRole('link', { name: 'Broadcasts' }).first().click();
  const row = page.getByRole('row', { name: /Doors close Friday/ });
  await row.getByText('Draft').waitFor();
  await row.getByText('Everyone').waitFor();
  await expectAccessibleToo(page);
  await row.getByRole('link', { name: /Doors close Friday/ }).click();
  const body = page.getByRole('textbox', { name: 'Email body' });
  await body.getByText('Doors close').waitFor();
  await body.locator('.chip', { hasText: 'First name' }).waitFor();
  expect(await body.locator('li').allTextContents()).toEqual(['One', 'Two']);
  await page.getByText('It stays as it is, byte for byte').waitFor();
  await page.getByText('1 person').first().waitFor();
  await expectAccessibleToo(page);
  await page.getByLabel('Subject').fill('Doors close on Friday');
  await page.getByText(/^Saved .* revision 2$/).waitFor();
  expect(await readBroadcast(org, made.id)).toMatchObject({ subject: 'Doors close on Friday', html });
  expectNoTrouble();
});

test('opening a broadcast and looking around saves nothing', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const { id } = await readyDraft(world, org, { html: '<p>Loose   <strong>text</strong></p>\n<p></p>' });
  const page = await visit(org, `/broadcasts/${id}`);
  const calls: string[] = [];
  page.on('request', (request) => calls.push(`${request.method()} ${new URL(request.url()).pathname}`));
  const body = page.getByRole('textbox', { name: 'Email body' });
  await body.click();
  await page.keyboard.press('End');
  await page.getByRole('button', { name: 'Phone' }).click();
  await page.getByRole('button', { name: 'Plain' }).click();
  await page.getByText('Loose text').last().waitFor();
  await page.getByRole('link', { name: 'Broadcasts' }).first().click();
  await page.waitForURL(/\/broadcasts$/);
  expect(calls.filter((call) => call.startsWith('PATCH'))).toEqual([]);
  expect((await readBroadcast(org, id)).revision).toBe(1);
});

test('filters of the list stand in the address; a viewer reads and cannot write', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const { id } = await newDraft(org, { audience: 'everyone', subject: 'A draft', html: '<p>Read me</p>' });
  const page = await visit(org, '/broadcasts', { role: 'viewer' });
  await page.getByRole('link', { name: 'Sent', exact: true }).click();
  await page.waitForURL(/status=sent/);
  await page.getByText('None is like this').waitFor();
  await page.reload();
  await page.getByText('None is like this').waitFor();
  await page.getByRole('link', { name: 'All', exact: true }).click();
  await page.getByRole('link', { name: /A draft/ }).waitFor();
  const make = page.getByRole('button', { name: 'New broadcast' });
  expect(await make.getAttribute('aria-disabled')).toBe('true');
  expect(await make.getAttribute('title')).toContain('broadcasts.write');
  await page.getByRole('link', { name: /A draft/ }).click();
  await page.waitForURL(new RegExp(id));
  await page.getByText('You can read it and try it out.').waitFor();
  expect(await page.getByRole('textbox', { name: 'Email body' }).getAttribute('contenteditable')).toBe(
    'false',
  );
  await expectAccessible(page);
});

test('at the width of a phone and in the dark, the list and the editor are accessible and fit', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const { id } = await readyDraft(world, org);
  for (const path of ['/broadcasts', `/broadcasts/${id}`]) {
    const page = await visit(org, path, { width: 390, theme: 'dark' });
    await page.getByText('Draft').first().waitFor();
    await expectAccessibleToo(page);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await page.close();
  }
  expectNoTrouble();
});

test('a preview is a page apart: only a frame of our own page gets it, and nothing in it runs', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const { id } = await readyDraft(world, org);
  const path = `/preview/${org.id}/broadcasts/${id}`;
  const page = await visit(org, `/broadcasts/${id}`);
  const answer = await page.waitForResponse((response) => response.url().includes(path));
  const headers = answer.headers();
  expect(headers['content-security-policy']).toContain("sandbox; default-src 'none'");
  expect(headers['cache-control']).toBe('no-store');
  expect((await fetch(`${world.url}${path}`)).status).toBe(403);
  const other = await newMember(world, await world.newOrg(), 'owner');
  const framed = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'iframe' };
  const foreign = await fetch(`${world.url}${path}`, {
    headers: { ...framed, cookie: other.credential['cookie']! },
  });
  expect(foreign.status).toBe(404);
});
