import { mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { closePages, sharedBrowser } from '../support/browser.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { peopleOf } from './people-of.ts';
import { changePage, openPage, passSeconds } from './visitor.ts';

/** A folder that gets a picture of each page, for looking at them. */
const pictures = process.env['PICTURES'];

const world = useWorld();
let browser: Browser;
let org: TestOrg;
let page: Awaited<ReturnType<typeof openPage>>;
beforeAll(async () => {
  browser = await sharedBrowser();
  org = await world().newOrg();
  await org.rest('POST /v1/property-configs', { key: 'company', name: 'Company', type: 'string' });
  await org.rest('POST /v1/property-configs', { key: 'newsletter', name: 'Newsletter', type: 'boolean' });
  await org.rest('PUT /v1/email-layout', {
    company_name: 'Fabrikam Courses',
    postal_address: '1 Example Street, Springfield',
    footer_text: 'Questions? Write to courses@example.com',
    link_color: '#7c2d12',
    button_color: '#9a3412',
  });
  page = await openPage(
    org,
    {
      description: 'An hour about the basics.\n\nBring your questions.',
      fields: [
        { field: 'first_name', required: true },
        { field: 'last_name' },
        { field: 'email', required: true },
        { field: 'phone' },
        { property: 'company' },
        { property: 'newsletter', label: 'Send me the newsletter' },
      ],
      consent_text: 'I agree that Fabrikam Courses writes to me about this webinar.',
    },
    { title: 'Getting started with pottery', duration_minutes: 60, timezone: 'Europe/Paris' },
  );
});
afterAll(() => closePages(browser));

const at = (visited: Page): string => new URL(visited.url()).pathname;

test('by keyboard alone and without scripts, somebody registers after a mistake', async () => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 320, height: 640 },
  });
  const visited = await context.newPage();
  await visited.goto(page.url);
  const keys = visited.keyboard;
  const typed = ['Ann', 'Lee', 'ann@localhost', '', 'Fabrikam'];
  for (const text of typed) {
    await keys.press('Tab');
    await keys.type(text);
  }
  await keys.press('Tab');
  await keys.press('Tab'); // past the newsletter: the trap is not on the way
  await keys.press('Space');
  await keys.press('Tab');
  await keys.press('Enter'); // too soon for a person, as the service sees it
  await visited.waitForLoadState();
  expect(await visited.textContent('[role=alert]')).toContain('press Register again');
  expect(await visited.inputValue('#email')).toBe('ann@localhost');
  expect(await visited.isChecked('#consent')).toBe(true);
  passSeconds(world(), 3);
  await visited.focus('button');
  await keys.press('Enter');
  await visited.waitForURL(`${page.url}/registered`);
  await keys.press('Tab');
  const [download] = await Promise.all([visited.waitForEvent('download'), keys.press('Enter')]);
  expect(download.suggestedFilename()).toBe('webinar.ics');
  await context.close();
  expect(await peopleOf(org)).toMatchObject([{ first_name: 'Ann', last_name: 'Lee' }]);
});

const looks = [
  { name: 'narrow and dark', colorScheme: 'dark', viewport: { width: 320, height: 700 } },
  { name: 'wide and light', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
] as const;

test.each(looks)('axe finds nothing and nothing scrolls sideways: $name', async (look) => {
  const context = await browser.newContext({ ...look, bypassCSP: true });
  const visited = await context.newPage();
  const found: string[] = [];
  const see = async (title: string) => {
    if (pictures !== undefined) {
      mkdirSync(pictures, { recursive: true });
      await visited.screenshot({ path: `${pictures}/${title}-${look.name}.png`, fullPage: true });
    }
    found.push(...(await axeFindings(visited)).map((finding) => `${title}: ${finding}`));
    if (await visited.evaluate('document.documentElement.scrollWidth > innerWidth'))
      found.push(`${title} is too wide`);
  };
  passSeconds(world(), 1);
  await visited.goto(page.url);
  await see('form');
  await visited.evaluate('document.querySelector("form").noValidate = true');
  await visited.fill('#email', 'nobody');
  passSeconds(world(), 3);
  await visited.click('button');
  await visited.waitForSelector('.note.wrong');
  await see('wrong');
  await visited.goto(page.url);
  await visited.evaluate(
    'document.querySelector("form").noValidate = true; document.querySelector("#website").value = "x"',
  );
  await visited.click('button');
  await visited.waitForSelector('.note');
  await see('trap');
  await visited.goto(`${page.url}/registered`);
  await see('registered');
  await changePage(org, page.webinar_id, { published: false });
  passSeconds(world(), 1);
  await visited.goto(page.url);
  await see('closed');
  await changePage(org, page.webinar_id, { published: true });
  passSeconds(world(), 1);
  await context.close();
  expect(found).toEqual([]);
});

test('a named site shows it in a frame where it works, and another does not', async () => {
  const site = await servePage(
    `<iframe src="${page.embed_url}" title="Register" width="600" height="900"></iframe>`,
  );
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const context = await browser.newContext();
  const visited = await context.newPage();
  const refused: string[] = [];
  visited.on('console', (message) => refused.push(message.text()));
  await visited.goto(origin);
  await expect.poll(() => refused.join()).toContain('frame-ancestors');
  await changePage(org, page.webinar_id, { frame_origins: [origin] });
  passSeconds(world(), 1);
  refused.length = 0;
  await visited.goto(origin);
  const frame = visited.frameLocator('iframe');
  await frame.locator('#first_name').fill('Ben');
  await frame.locator('#email').fill('ben@example.com');
  await frame.locator('#consent').check();
  passSeconds(world(), 3);
  await frame.locator('button').click();
  await frame.getByRole('heading', { level: 1 }).filter({ hasText: 'has arrived' }).waitFor();
  expect(refused).toEqual([]);
  expect(at(visited)).toBe('/');
  await context.close();
  site.close();
  expect((await peopleOf(org)).map(({ first_name }) => first_name)).toContain('Ben');
});

async function servePage(body: string): Promise<Server> {
  const server = createServer((_request, response) => {
    response
      .writeHead(200, { 'Content-Type': 'text/html' })
      .end(`<!doctype html><title>A site</title>${body}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
