import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { announceSetup } from '../../src/main/announce-setup.ts';
import { createLog } from '../../src/main/log.ts';
import { axeFindings } from '../support/axe.ts';
import { isLong } from '../support/volume.ts';
import { openBrowserWorld, type BrowserWorld } from './browser.ts';
import { client, startCrook } from './oidc-servers.ts';
import { codeOfPage } from './totp-app.ts';
import { goodPassword, newLink } from './visitor.ts';

/** A folder that gets a picture of each page, for looking at them. */
const pictures = process.env['PICTURES'];

let there: BrowserWorld;
let crook: Awaited<ReturnType<typeof startCrook>>;
beforeAll(async () => {
  crook = await startCrook();
  const provider = { OIDC_ISSUER: crook.issuer, OIDC_CLIENT_ID: client.id, OIDC_NAME: 'Northwind' };
  there = await openBrowserWorld({ SIGN_UP: 'open', ...provider });
});
afterAll(async () => {
  await there.close();
  await crook.close();
});

/** Walks through every page once. */
async function walk(page: Page, look: (name: string) => Promise<void>): Promise<void> {
  const { world, url } = there;
  const email = `walker${Date.now()}@example.com`;
  const press = async (label: string): Promise<void> => {
    await page.click(`button:has-text("${label}")`);
    await page.waitForLoadState();
  };
  for (const [path, name] of [
    ['/sign-in', 'sign-in'],
    ['/sign-up', 'sign-up'],
    ['/forgotten', 'forgotten'],
    ['/setup', 'setup'],
    ['/link/none', 'link-gone'],
  ] as const) {
    await page.goto(url + path);
    await look(name);
  }
  await page.goto(`${url}/forgotten`);
  await page.fill('#email', 'somebody@example.com');
  await press('Send the link');
  await look('mail-sent');
  await page.goto(`${url}/sign-in`);
  await page.fill('#email', email);
  await page.fill('#password', 'not this one');
  await press('Sign in');
  await look('sign-in-wrong');
  await page.goto(`${url}/link/${await newLink(world, email)}`);
  await look('choose-password');
  await page.fill('#password', goodPassword);
  await press('Save the password');
  await look('account');
  await page.fill('#now-current', 'not this one');
  await page.fill('#password', 'a better phrase still');
  await press('Change the password');
  await look('account-wrong');
  await page.fill('#now-passkey', goodPassword);
  await press('Add a passkey');
  await look('passkey-add');
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await press('Add the passkey');
  await page.waitForURL(`${url}/account`);
  await page.click('a:has-text("Change")');
  await look('passkey-change');
  await page.goto(`${url}/account`);
  await page.fill('#now-provider', goodPassword);
  await press('Link Northwind');
  await look('provider-link');
  await page.goto(`${url}/sign-in/with/callback?state=x`);
  await look('provider-failed');
  await page.goto(`${url}/account`);
  await page.fill('#now-begin', goodPassword);
  await press('Set up an authenticator app');
  await look('two-steps-set-up');
  await page.fill('#code', codeOfPage(await page.content(), world.clock.now()));
  await press('Turn the codes on');
  await look('recovery-codes');
  await page.goto(`${url}/account`);
  await look('account-two-steps');
  await press('Sign out');
  await page.fill('#email', email);
  await page.fill('#password', goodPassword);
  await press('Sign in');
  await look('second-step');
}

const wide = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
const looks = [
  { name: 'wide and light', colorScheme: 'light', viewport: wide },
  { name: 'phone and dark', colorScheme: 'dark', viewport: phone },
  ...(pictures === undefined
    ? []
    : [
        { name: 'wide and dark', colorScheme: 'dark' as const, viewport: wide },
        { name: 'phone and light', colorScheme: 'light' as const, viewport: phone },
      ]),
] as const;

beforeAll(() => announceSetup(there.world.config, there.world.database, createLog('silent', 'test')));

/** The gate walks once and looks at every page in one of both: they share their sheet. */
const byTurns = { name: 'by turns', colorScheme: 'dark', viewport: phone } as const;

test.each(isLong || pictures !== undefined ? looks : [byTurns])(
  'axe finds nothing on any page, and none scrolls sideways: $name',
  async ({ name, ...options }) => {
    const context = await there.browser.newContext({ ...options, bypassCSP: true });
    const page = await context.newPage();
    const found: string[] = [];
    let pages = 0;
    await walk(page, async (title) => {
      pages++;
      if (name === byTurns.name) {
        const { viewport, colorScheme } = looks[pages % 2]!;
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
      }
      if (pictures !== undefined) {
        mkdirSync(pictures, { recursive: true });
        await page.screenshot({ path: `${pictures}/${title}-${name}.png`, fullPage: true });
      }
      const violations = await axeFindings(page);
      found.push(...violations.map((violation) => `${title}: ${violation}`));
      if (await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
        found.push(`${title} is too wide`);
    });
    await context.close();
    expect(found).toEqual([]);
    expect(pages).toBeGreaterThan(15);
  },
);
