import type { Browser, BrowserContext, Page } from 'playwright-core';
import { closePages, sharedBrowser } from '../support/browser.ts';
import { holdPort } from '../../src/main/free-ports.ts';
import { openWorld, type World } from '../support/world.ts';
import { goodPassword, newLink } from './visitor.ts';

/** The service under a name that browsers trust, and Chromium. */
export interface BrowserWorld {
  readonly world: World;
  readonly url: string;
  readonly browser: Browser;
  close(): Promise<void>;
}

export async function openBrowserWorld(env: Record<string, string> = {}): Promise<BrowserWorld> {
  const held = await holdPort();
  await held.letGo();
  const url = `http://app.localhost:${held.port}`;
  const world = await openWorld({ env: { PORT: String(held.port), PUBLIC_URL: url, ...env } });
  const browser = await sharedBrowser();
  return {
    world,
    url,
    browser,
    async close() {
      await closePages(browser);
      await world.close();
    },
  };
}

let people = 0;

/** Somebody new, signed in in a browser of their own. */
export async function newSignedIn(
  { world, url, browser }: BrowserWorld,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<{ context: BrowserContext; page: Page; email: string }> {
  const email = `browser${++people}@example.com`;
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.goto(`${url}/link/${await newLink(world, email)}`);
  await page.fill('#password', goodPassword);
  await page.click('button.primary');
  await page.waitForURL(`${url}/account`);
  return { context, page, email };
}
