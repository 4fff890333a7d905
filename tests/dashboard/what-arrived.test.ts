import type { Page } from 'playwright-core';
import PostalMime from 'postal-mime';
import { afterAll, expect, test } from 'vitest';
import { newDraft, setLayout } from '../support/broadcast.ts';
import { newSender } from '../support/sender-row.ts';
import { startMail } from '../support/mail.ts';
import { advanceClock, clockOf } from '../support/sending.ts';
import { expectNoTrouble, useDashboard } from './visit.ts';

// Postfix first: the service is told of it when it starts. Nobody answers questions about domains.
const mail = await startMail();
const dashboard = useDashboard({ engine: true, env: { SMTP_URL: mail.url, DNS_SERVERS: '127.0.0.1:9' } });
afterAll(() => mail.stop());

const html = [
  '<h1>Prices of spring</h1>',
  '<p>Dear {{var_name}}, there is <strong>news</strong>, some of it <em>good</em>: café, 日本, 🌱.</p>',
  '<ul><li><p>One</p></li><li><p>Two, <a href="https://example.com/prices?a=1&amp;b=2">with a link</a></p></li></ul>',
  '<p>See you &lt;soon&gt; &amp; be well.</p>',
].join('');

/** As it is drawn; what counts who reads it, and leads there, is no part of the picture. */
async function draw(page: Page, message: string): Promise<{ picture: Buffer; text: string }> {
  await page.route('**/*', (route) => route.abort());
  await page.setContent(message);
  await page.evaluate('document.querySelectorAll(\'img[width="1"]\').forEach((one) => one.remove())');
  return {
    picture: await page.screenshot({ fullPage: true }),
    text: await page.evaluate<string>('document.body.innerText'),
  };
}

/** Plain text without the addresses of its links, which are the recipient's own in what is sent. */
const withoutLinks = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replaceAll(/https?:\/\/\S+/g, '')
    .trim();

test('what was previewed is what a mailbox got: the same picture, and the same text', async () => {
  const { world, visit, url } = dashboard();
  const org = await world.newOrg();
  await setLayout(org, { footer_text: 'You get this because you asked for it.' });
  await org.rest('PATCH /v1/settings', { test_recipients: ['@mbox.test'] });
  await org.person({ email: 'ok-ada@mbox.test', first_name: 'Ada' });
  const { id } = await newDraft(org, {
    audience: 'everyone',
    subject: 'Prices of spring 🌱',
    html,
    variables: { var_name: { variable: '{{context.root_context.org_user.first_name}}', fallback: 'friend' } },
    sender_id: await newSender(world, org),
  });
  const page = await visit(org, `/broadcasts/${id}`);
  const [framed] = await Promise.all([
    page.waitForResponse((answer) => answer.url().startsWith(`${url}/preview/`) && answer.ok()),
    page.reload(),
  ]);
  const previewed = await framed.text();
  await page.getByRole('button', { name: 'Plain' }).click();
  const plain = (await page.getByRole('region', { name: 'As plain text' }).textContent()) ?? '';
  const when = new Date((await clockOf(org)) + 2 * 3_600_000).toISOString();
  await page.goto(`${url}/o/${org.id}/broadcasts/${id}/plan?at=${encodeURIComponent(when)}`);
  const panel = page.getByRole('complementary', { name: 'Schedule' });
  await panel.getByLabel(/^Type 1 to schedule/).fill('1');
  await panel.getByRole('button', { name: /^Schedule for 1 person/ }).click();
  await page.getByText('Scheduled. It can be pulled back').waitFor();
  await advanceClock(org, 5 * 3_600);
  const letter = await PostalMime.parse(Buffer.from(await mail.messageTo('ok-ada@mbox.test'), 'latin1'));
  expect(letter.subject).toBe('Prices of spring 🌱');
  const blank = await page.context().newPage();
  await blank.setViewportSize({ width: 720, height: 600 });
  const [shown, arrived] = [await draw(blank, previewed), await draw(blank, letter.html ?? '')];
  expect(shown.text).toContain('Dear Ada, there is news');
  expect(arrived.text).toBe(shown.text);
  expect(arrived.picture.equals(shown.picture)).toBe(true);
  // A letter of other words is another picture: the comparison can tell.
  const other = await draw(blank, (letter.html ?? '').replace('Dear Ada', 'Dear Adx'));
  expect(other.picture.equals(shown.picture)).toBe(false);
  expect(withoutLinks(letter.text ?? '')).toBe(withoutLinks(plain));
  expectNoTrouble();
});
