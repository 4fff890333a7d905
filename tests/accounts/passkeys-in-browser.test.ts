import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newSignedIn, openBrowserWorld, type BrowserWorld } from './browser.ts';
import { goodPassword } from './visitor.ts';

let there: BrowserWorld;
beforeAll(async () => {
  there = await openBrowserWorld();
});
afterAll(() => there.close());

/** Chromium's own authenticator: it keeps passkeys, and verifies its owner as it is told. */
async function plugIn(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
}

async function addPasskey(page: Page): Promise<void> {
  await page.fill('#now-passkey', goodPassword);
  await page.click('text=Add a passkey');
  await page.waitForSelector('h1:has-text("Add a passkey")');
  await page.click('text=Add the passkey');
}

test('a browser adds a passkey, signs in with it alone, names it and removes it', async () => {
  const { context, page, email } = await newSignedIn(there);
  const { cdp, authenticatorId } = await plugIn(page);
  await addPasskey(page);
  await page.waitForURL(`${there.url}/account`);
  expect(await page.textContent('main')).toContain('not used yet');
  await page.click('text=Sign out');
  await page.waitForURL(`${there.url}/sign-in`);
  await page.click('text=Use a passkey');
  await page.waitForURL(`${there.url}/account`);
  expect(await page.textContent('main')).toContain(email);
  expect(await page.evaluate('document.cookie')).toBe('');
  await page.click('a:has-text("Change")');
  await page.fill('#name', 'Test bench');
  await page.click('text=Save the name');
  await page.click('a[aria-label="Change Test bench"]');
  await page.fill('#now-remove', goodPassword);
  await page.click('text=Remove the passkey');
  await page.waitForURL(`${there.url}/account`);
  expect(await page.textContent('main')).not.toContain('Test bench');
  await page.click('text=Sign out');
  await page.waitForURL(`${there.url}/sign-in`);
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'POST'),
    page.click('text=Use a passkey'),
  ]);
  expect(answer.status()).toBe(401);
  expect((await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials).toHaveLength(1);
  await context.close();
});

test('an authenticator that does not verify its owner signs nobody in', async () => {
  const { context, page } = await newSignedIn(there);
  const { cdp, authenticatorId } = await plugIn(page);
  await addPasskey(page);
  await page.waitForURL(`${there.url}/account`);
  await page.click('text=Sign out');
  await page.waitForURL(`${there.url}/sign-in`);
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await page.click('text=Use a passkey');
  await page.waitForSelector('form[data-passkey] [role=alert]:visible');
  expect(new URL(page.url()).pathname).toBe('/sign-in');
  await context.close();
});

test('a device that has a passkey of the account is not asked to make another', async () => {
  const { context, page } = await newSignedIn(there);
  await plugIn(page);
  await addPasskey(page);
  await page.waitForURL(`${there.url}/account`);
  await addPasskey(page);
  await page.waitForSelector('[role=alert]:visible');
  expect(await page.textContent('[role=alert]')).toContain('has a passkey of your account already');
  await context.close();
});

test('without script the pages offer no passkey, and work', async () => {
  const { context, page, email } = await newSignedIn(there, { javaScriptEnabled: false });
  await page.fill('#now-passkey', goodPassword);
  await page.click('text=Add a passkey');
  await page.waitForSelector('text=This takes a browser that knows passkeys');
  expect(await page.isVisible('text=Add the passkey')).toBe(false);
  await page.goto(`${there.url}/account`);
  await page.click('text=Sign out');
  await page.waitForURL(`${there.url}/sign-in`);
  expect(await page.isVisible('text=Use a passkey')).toBe(false);
  await page.fill('#email', email);
  await page.fill('#password', goodPassword);
  await page.click('button.primary');
  await page.waitForURL(`${there.url}/account`);
  await context.close();
});
