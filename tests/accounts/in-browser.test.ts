import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newSignedIn as newSignedInAt, openBrowserWorld, type BrowserWorld } from './browser.ts';
import { isLong } from '../support/volume.ts';
import { goodPassword } from './visitor.ts';

let there: BrowserWorld;
let foreign: Server;
let url: string;
let foreignPort: number;
/** What the foreign page holds. */
let trap = '';

beforeAll(async () => {
  there = await openBrowserWorld();
  url = there.url;
  foreign = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(trap));
  await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
  foreignPort = (foreign.address() as AddressInfo).port;
});
afterAll(async () => {
  await there.close();
  foreign.close();
});

const newSignedIn = () => newSignedInAt(there);

test('a browser makes an account, signs out and in again, without any script of ours', async () => {
  const { context, page, email } = await newSignedIn();
  expect(await page.textContent('main')).toContain(email);
  await page.click('text=Sign out');
  await page.waitForURL(`${url}/sign-in`);
  await page.fill('#email', email);
  await page.fill('#password', goodPassword);
  await page.click('button.primary');
  await page.waitForURL(`${url}/account`);
  const cookies = await context.cookies();
  expect(
    cookies
      .map(({ name, httpOnly, secure, sameSite, path }) => ({ name, httpOnly, secure, sameSite, path }))
      .toSorted((a, b) => a.name.localeCompare(b.name)),
  ).toEqual(
    ['__Host-rostrum-device', '__Host-rostrum-session'].map((name) => ({
      name,
      httpOnly: true,
      secure: true,
      sameSite: 'Lax',
      path: '/',
    })),
  );
  expect(await page.evaluate('document.cookie')).toBe('');
  expect(await page.locator('script').count()).toBe(0);
  await context.close();
});

const places = [
  ['another site', () => `http://evil.example.localhost:${foreignPort}`],
  ['another host of the same domain', () => `http://evil.app.localhost:${foreignPort}`],
] as const;

// In the gate each is tried from where it would come nearest.
test.each(isLong ? places : places.slice(1))(
  'CSRF: a form of %s signs nobody out, though its cookie may come along',
  async (_name, address) => {
    const { context, page } = await newSignedIn();
    trap = `<form method="post" action="${url}/account/sign-out"><button>Win</button></form>`;
    await page.goto(address());
    const [response] = await Promise.all([page.waitForResponse(/sign-out/), page.click('button')]);
    expect(response.status()).toBe(403);
    await page.goto(`${url}/account`);
    expect(new URL(page.url()).pathname).toBe('/account');
    await context.close();
  },
);

test.each(isLong ? places : places.slice(1))(
  'CSRF: a script of %s reads and ends nothing',
  async (_name, address) => {
    const { context, page } = await newSignedIn();
    trap = '<p>nothing</p>';
    await page.goto(address());
    const tried = await page.evaluate(async (target) => {
      const results: string[] = [];
      for (const init of [
        { credentials: 'include' },
        { credentials: 'include', headers: { 'Auth-Type': 'session' } },
        { credentials: 'include', mode: 'no-cors', method: 'POST', body: new URLSearchParams({}) },
      ] as RequestInit[])
        for (const path of ['/account/session', '/account/sessions/end-others', '/account/sign-out'])
          results.push(
            await fetch(target + path, init).then(
              async (answer) => answer.type + (await answer.text()),
              () => 'refused',
            ),
          );
      return results;
    }, url);
    expect(new Set(tried)).toEqual(new Set(['refused', 'opaque']));
    await page.goto(`${url}/account`);
    expect(new URL(page.url()).pathname).toBe('/account');
    await context.close();
  },
);

test('a cookie that another host of the domain sets is not taken for ours', async () => {
  const { context, page } = await newSignedIn();
  const before = (await context.cookies(url)).find(({ name }) => name.includes('session'))!.value;
  await page.goto(`http://evil.app.localhost:${foreignPort}`);
  await page.evaluate(
    "document.cookie = '__Host-rostrum-session=planted; domain=app.localhost; path=/; secure'; document.cookie = 'rostrum-session=planted; domain=app.localhost; path=/'",
  );
  const after = (await context.cookies(url)).filter(({ name }) => name === '__Host-rostrum-session');
  expect(after.map(({ value }) => value)).toEqual([before]);
  await page.goto(`${url}/account`);
  expect(new URL(page.url()).pathname).toBe('/account');
  await context.close();
});

test('no page shows our pages in a frame', async () => {
  const { context, page } = await newSignedIn();
  trap = `<iframe src="${url}/account"></iframe>`;
  await page.goto(`http://evil.app.localhost:${foreignPort}`);
  await expect.poll(() => page.frames().length).toBe(2);
  const text = await page
    .frames()[1]!
    .textContent('body')
    .catch(() => '');
  expect(text).not.toContain('Your account');
  await context.close();
});
