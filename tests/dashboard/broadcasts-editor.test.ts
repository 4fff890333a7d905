import { expect, test } from 'vitest';
import { inHours, newDraft, newWebinar, register, setLayout } from '../support/broadcast.ts';
import { newSender } from '../support/sender-row.ts';
import { readBroadcast } from '../support/sending.ts';
import { expectAccessible, expectAccessibleToo, expectNoTrouble, useDashboard } from './visit.ts';

const dashboard = useDashboard();

const firstName = '{{context.root_context.org_user.first_name}}';

test('a broadcast is written: audience, sender, subject, body with a variable, link and list; all is saved by itself', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  await setLayout(org);
  await newSender(world, org);
  await org.person({ email: 'rita@example.com', first_name: 'Rita' });
  await org.person({ email: 'nameless@example.com' });
  const segment = await org.rest('POST /v1/segments', {
    name: 'With an address',
    filters: [{ property: 'primary_email', op: 'is_not_empty' }],
  });
  const page = await visit(org, '/broadcasts');
  await page.getByText('Nothing was written yet').waitFor();
  await page.getByRole('button', { name: 'New broadcast' }).click();
  await page.getByRole('button', { name: 'A segment' }).click();
  await page.getByLabel('Segment', { exact: true }).selectOption('With an address');
  await page.getByLabel('Sender').selectOption({ index: 1 });
  await page.getByLabel('Subject').fill('Hello');
  const body = page.getByRole('textbox', { name: 'Email body' });
  await body.click();
  await page.keyboard.type('Hi ');
  await page.keyboard.type('{');
  await page.getByLabel('Find a variable').fill('first name');
  await page.keyboard.press('Enter');
  await page.keyboard.type(', welcome');
  await page.keyboard.press('Enter');
  await page.keyboard.type('- one');
  await page.keyboard.press('Enter');
  await page.keyboard.type('two ');
  await page.getByRole('button', { name: 'Link', exact: true }).click();
  const link = page.getByRole('group', { name: 'Link' });
  await link.getByLabel('Address', { exact: true }).fill('javascript:alert(1)');
  await link.getByRole('button', { name: 'Put the link' }).click();
  await link.getByText('A link begins with https://').waitFor();
  await link.getByLabel('Address', { exact: true }).fill('https://example.com/place');
  await link.getByRole('button', { name: 'Put the link' }).click();
  await page.getByRole('complementary').getByText('there is no fallback').waitFor();
  await body.locator('.chip').click();
  const chip = page.getByRole('group', { name: 'First name' });
  await chip.getByText('1 of 2 have one').waitFor();
  await expectAccessible(page);
  await chip.getByLabel('When somebody has none').fill('there');
  await chip.getByText('will read “there”').waitFor();
  await expect.poll(() => page.getByRole('complementary').getByText('there is no fallback').count()).toBe(0);
  const id = page.url().split('/').at(-1)!;
  const saved = await readBroadcast(org, id);
  expect(saved).toMatchObject({
    subject: 'Hello',
    audience: { kind: 'segment', segment_id: segment.body.segment.id },
    html:
      '<p>Hi {{var_first_name}}, welcome</p><ul><li>one</li>' +
      '<li>two <a href="https://example.com/place">https://example.com/place</a></li></ul>',
    variables: { var_first_name: { variable: firstName, fallback: 'there' } },
  });
  const frame = page.frameLocator('iframe[title="The message as it looks"]');
  await frame.getByText(/^Hi (Rita|there), welcome$/).waitFor();
  await page.getByLabel('Preview as').selectOption('nameless@example.com');
  await frame.getByText('Hi there, welcome').waitFor();
  await page.getByRole('button', { name: 'Plain' }).click();
  await page.getByLabel('As plain text').getByText('Hi there, welcome').waitFor();
  expectNoTrouble();
});

test('what is pasted is cleaned to what a body may hold, and what was left out is told', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const { id } = await newDraft(org, { audience: 'everyone', html: '<p>Start</p>' });
  const page = await visit(org, `/broadcasts/${id}`);
  const body = page.getByRole('textbox', { name: 'Email body' });
  await body.click();
  await page.locator('[aria-label="Email body"]:focus').waitFor();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Enter');
  const pasted =
    '<table><tr><td>Cell <u>under</u></td></tr></table><p onclick="alert(1)">Kept <a href="javascript:alert(1)">link</a></p>' +
    '<script>alert(1)</script><img src="https://example.com/a.png" onerror="alert(1)"><span data-var="var_x">x</span>';
  await page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/html', ${JSON.stringify(pasted)});
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.activeElement.dispatchEvent(event);
  })()`);
  await page.getByText('Pasted without what an email body has no place for: a, script, table, u.').waitFor();
  await expectAccessibleToo(page);
  // var_x is defined by nobody: the service says so, and keeps what it had.
  await page.getByRole('alert').first().waitFor();
  expect((await readBroadcast(org, id)).html).toBe('<p>Start</p>');
  await page.keyboard.press('Backspace');
  await expect
    .poll(async () => (await readBroadcast(org, id)).html)
    .toBe('<p>Start</p><p>Cell under</p><p>Kept link</p><p><img src="https://example.com/a.png"></p>');
  expectNoTrouble();
});

test('of two who edit, the second is told, and chooses what stays', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const { id } = await newDraft(org, { audience: 'everyone', subject: 'First', html: '<p>Text</p>' });
  const page = await visit(org, `/broadcasts/${id}`);
  await page.getByRole('textbox', { name: 'Email body' }).waitFor();
  await org.rest(`PATCH /v1/broadcasts/${id}`, { preview_text: 'Theirs' });
  await page.getByLabel('Subject').fill('Mine');
  await page.getByText('Somebody else changed this broadcast meanwhile.').waitFor();
  await expectAccessible(page);
  expect(await readBroadcast(org, id)).toMatchObject({ subject: 'First', preview_text: 'Theirs' });
  await page.getByRole('button', { name: 'Save mine over it' }).click();
  await page.getByText(/revision 3$/).waitFor();
  expect(await readBroadcast(org, id)).toMatchObject({ subject: 'Mine', preview_text: 'Theirs' });
  await org.rest(`PATCH /v1/broadcasts/${id}`, { subject: 'Theirs again' });
  await page.getByLabel('Subject').fill('Mine again');
  await page.getByRole('link', { name: 'Drop mine and read theirs' }).click();
  await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe('Theirs again');
});

test('a text to registrants is written with a variable, and told how many texts it is', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const webinar = await newWebinar(world, org, { start_time: inHours(48) });
  const person = await org.person({ email: 'rita@example.com', first_name: 'Rita', phone: '+15005550006' });
  await register(world, org, webinar, person);
  const { id } = await newDraft(org, { audience: 'webinar', webinar_id: webinar });
  const page = await visit(org, `/broadcasts/${id}`);
  await page.getByRole('button', { name: 'Text', exact: true }).click();
  const text = page.getByLabel('Text message');
  await text.fill(`See you there. ${'Long. '.repeat(30)}`);
  await page.getByText(/sent as 2 texts/).waitFor();
  await page.getByRole('button', { name: 'Variable' }).click();
  await page.getByRole('menuitem', { name: 'First name' }).click();
  await expect.poll(async () => (await readBroadcast(org, id)).message_body).toContain('{{var_first_name}}');
  await page.getByRole('button', { name: 'By the webinar' }).click();
  await page.getByText('All at once.').waitFor();
  await expectAccessible(page);
  expect(await readBroadcast(org, id)).toMatchObject({
    channel: 'sms',
    timing: { webinar_offset_minutes: 60 },
  });
  await page.getByRole('button', { name: 'Email', exact: true }).click();
  const body = page.getByRole('textbox', { name: 'Email body' });
  await body.click();
  await page.keyboard.type('An email');
  await expect.poll(async () => (await readBroadcast(org, id)).html).toBe('<p>An email</p>');
  await page.getByRole('button', { name: 'Text', exact: true }).click();
  await expect.poll(() => text.inputValue()).toContain('{{var_first_name}}');
});
